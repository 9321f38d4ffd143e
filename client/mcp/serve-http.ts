import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { ClientError } from '../errors.ts';

export interface HttpOptions {
  /** Makes a server for one request: none keeps state between two. */
  createServer(): McpServer;
  /** 0 takes a free one. */
  port: number;
  /** What each request has to bring as its bearer token. */
  token: string;
  onDefect(error: unknown): void;
}

export interface HttpEndpoint {
  url: string;
  close(): Promise<void>;
}

const path = '/mcp';

/** Bytes. */
const maxBody = 4 * 1024 * 1024;

const loopback = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/;

/**
 * Serves MCP by streamable HTTP on the loopback interface, to whoever has the token. Other names for this machine and pages of other origins are
 * refused besides, by which a page in a browser could get here.
 * @throws {ClientError} `InvalidInput` if the port is taken.
 */
export async function serveHttp(options: HttpOptions): Promise<HttpEndpoint> {
  const server = createServer((request, response) => {
    handle(request, response, options).catch((error: unknown) => {
      options.onDefect(error);
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
  await listen(server, options.port);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function handle(request: IncomingMessage, response: ServerResponse, options: HttpOptions): Promise<void> {
  const refuse = (status: number, why: string, headers: Record<string, string> = {}) =>
    void response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end(`${why}\n`);
  const { host, origin, authorization } = request.headers;
  if (!loopback.test(host ?? '') || !isLocal(origin)) return refuse(403, `${origin ?? host} may not use this server.`);
  if (!isToken(authorization, options.token))
    return refuse(401, 'Expected the header "Authorization: Bearer <token>".', { 'www-authenticate': 'Bearer' });
  if (new URL(request.url ?? '', 'http://localhost').pathname !== path) return refuse(404, `Expected ${path}.`);
  if (request.method !== 'POST') return refuse(405, 'Expected POST.', { allow: 'POST' });
  const body = await readBody(request);
  if (body === undefined) return refuse(400, `Expected JSON of up to ${maxBody} bytes.`);
  const server = options.createServer();
  const transport = new StreamableHTTPServerTransport();
  response.once('close', () => {
    server.close().catch(options.onDefect);
  });
  await server.connect(transport);
  await transport.handleRequest(request, response, body);
}

/** A request without an origin comes from no page. */
function isLocal(origin: string | undefined): boolean {
  if (origin === undefined) return true;
  return URL.canParse(origin) && loopback.test(new URL(origin).host);
}

/** Compares digests, so that the time taken tells nothing of the token. */
function isToken(authorization: string | undefined, token: string): boolean {
  const given = /^Bearer (.+)$/i.exec(authorization ?? '')?.[1] ?? '';
  const [one, other] = [given, token].map((text) => createHash('sha256').update(text).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > maxBody) return undefined;
    pieces.push(piece);
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString());
  } catch {
    return undefined;
  }
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server
      .once('error', (error: NodeJS.ErrnoException) => {
        const isTaken = error.code === 'EADDRINUSE';
        reject(
          isTaken ? new ClientError('InvalidInput', `Port ${port} is in use. Choose another with --port.`) : error,
        );
      })
      .listen(port, '127.0.0.1', resolve);
  });
}
