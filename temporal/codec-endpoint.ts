import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Payload, PayloadCodec } from '@temporalio/common';
import { ConfigurationError } from '../domain/configuration-error.ts';
import { PayloadCodecError } from './payload-codec.ts';

export interface CodecEndpointOptions {
  codec: PayloadCodec;
  port: number;
  /** Origins of the pages that may ask, such as `http://127.0.0.1:8233`; a request without an origin comes from no page. */
  origins: readonly string[];
}

export interface CodecEndpoint {
  /** What the Temporal UI and `temporal --codec-endpoint` are given. */
  url: string;
  close(): Promise<void>;
}

/** Bytes; Temporal's own limit of a message is 4 MB, a third more in base64. */
const maxBody = 8 * 1024 * 1024;

/**
 * Serves `/encode` and `/decode` by Temporal's protocol for remote codecs, on the loopback interface: payloads in JSON, their bytes in base64. Pages of
 * other origins are refused, and so are other names for this machine, by which such a page could get here.
 * @throws {ConfigurationError} if the port is in use.
 */
export async function serveCodec({ codec, port, origins }: CodecEndpointOptions): Promise<CodecEndpoint> {
  const server = createServer(async (request, response) => {
    const { origin, host } = request.headers;
    const isKnown = origin === undefined || origins.includes(origin);
    if (!isKnown || !/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(host ?? '')) {
      return response.writeHead(403).end(`Pages of ${origin ?? host} may not use this codec.\n`);
    }
    if (origin !== undefined) {
      response.setHeader('access-control-allow-origin', origin);
      response.setHeader('vary', 'origin');
    }
    if (request.method === 'OPTIONS') {
      response.setHeader('access-control-allow-methods', 'POST, OPTIONS');
      response.setHeader('access-control-allow-headers', 'content-type, x-namespace, authorization');
      return response.writeHead(204).end();
    }
    const act = request.method === 'POST' ? /^(?:\/[^/?]+)*\/(encode|decode)$/.exec(request.url ?? '')?.[1] : undefined;
    if (act !== 'encode' && act !== 'decode') return response.writeHead(404).end('Expected POST /encode or /decode.\n');
    try {
      const payloads = await readPayloads(request);
      const answer = JSON.stringify({ payloads: (await codec[act](payloads)).map(toJson) });
      response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
    } catch (error) {
      const isOurs = error instanceof PayloadCodecError || error instanceof BadRequest;
      response.writeHead(isOurs ? 400 : 500).end(`${isOurs ? error.message : 'The codec failed.'}\n`);
      if (!isOurs) console.error(error);
    }
  });
  await listen(server, port);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

class BadRequest extends Error {}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server
      .once('error', (error: NodeJS.ErrnoException) => {
        const isTaken = error.code === 'EADDRINUSE';
        reject(isTaken ? new ConfigurationError(`Port ${port} is in use. Choose another with --port.`) : error);
      })
      .listen(port, '127.0.0.1', resolve);
  });
}

interface JsonPayload {
  metadata?: Record<string, string>;
  data?: string;
}

async function readPayloads(request: IncomingMessage): Promise<Payload[]> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > maxBody) throw new BadRequest(`Expected up to ${maxBody} bytes.`);
    pieces.push(piece);
  }
  try {
    const { payloads = [] } = JSON.parse(Buffer.concat(pieces).toString()) as { payloads?: JsonPayload[] };
    return payloads.map(({ metadata = {}, data = '' }) => ({
      metadata: Object.fromEntries(Object.entries(metadata).map(([name, value]) => [name, bytesOf(value)])),
      data: bytesOf(data),
    }));
  } catch {
    throw new BadRequest('Expected JSON: { "payloads": [{ "metadata": { ... }, "data": "..." }] }, bytes in base64.');
  }
}

function bytesOf(base64: string): Buffer {
  return Buffer.from(base64, 'base64');
}

function toJson({ metadata, data }: Payload): JsonPayload {
  const entries = Object.entries(metadata ?? {}).map(([name, value]) => [name, Buffer.from(value).toString('base64')]);
  return { metadata: Object.fromEntries(entries), data: Buffer.from(data ?? []).toString('base64') };
}
