import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request to the model as it went over the wire. */
export interface RecordedRequest {
  run: string;
  role: string;
  body: string;
}

/** Forwards requests from a worker to the scripted model and records them byte for byte. */
export interface RecordingProxy {
  url: string;
  requests(run: string, role: string): RecordedRequest[];
  close(): Promise<void>;
}

export async function startRecordingProxy(target: string): Promise<RecordingProxy> {
  const recorded: RecordedRequest[] = [];
  const server = createServer((incoming, response) => {
    const pieces: Buffer[] = [];
    incoming.on('data', (piece: Buffer) => pieces.push(piece));
    incoming.on('end', () => {
      const body = Buffer.concat(pieces);
      const { 'x-longhaul-run': run = '', 'x-longhaul-role': role = '' } = incoming.headers;
      recorded.push({ run: String(run), role: String(role), body: body.toString() });
      const { origin } = new URL(target);
      const onward = send(new URL(incoming.url ?? '/', origin), {
        method: incoming.method,
        headers: { ...incoming.headers, host: new URL(target).host },
      });
      onward.on('response', (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      onward.on('error', () => response.destroy());
      response.on('close', () => onward.destroy());
      onward.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${new URL(target).pathname}`,
    requests: (run, role) => recorded.filter((one) => one.run === run && one.role === role),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
