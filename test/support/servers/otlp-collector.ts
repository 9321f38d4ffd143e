import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as OTLP has it in JSON, with its attributes by name. */
export interface CollectedSpan {
  service: string;
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: Record<string, unknown>;
  links: Array<{ traceId: string; spanId: string }>;
  status: { code?: number; message?: string };
}

interface Value {
  stringValue?: string;
  intValue?: number | string;
  doubleValue?: number;
  boolValue?: boolean;
  arrayValue?: { values?: Value[] };
}

interface Attributes {
  attributes?: Array<{ key: string; value: Value }>;
}

type SentSpan = Omit<CollectedSpan, 'attributes' | 'links' | 'status' | 'service'> &
  Attributes &
  Partial<CollectedSpan>;

interface Sent {
  resourceSpans: Array<{ resource: Attributes; scopeSpans: Array<{ spans: SentSpan[] }> }>;
}

/** Takes traces by OTLP over HTTP in JSON and keeps them. */
export async function startCollector({ status = 200 } = {}) {
  const spans: CollectedSpan[] = [];
  const requests: Array<{ path: string | undefined; authorization: string | undefined; body: string }> = [];
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const body = Buffer.concat(pieces).toString();
    requests.push({ path: request.url, authorization: request.headers.authorization, body });
    for (const { resource, scopeSpans } of (JSON.parse(body) as Sent).resourceSpans) {
      const service = String(byName(resource)['service.name']);
      for (const span of scopeSpans.flatMap((scope) => scope.spans)) {
        spans.push({ links: [], status: {}, ...span, service, attributes: byName(span) });
      }
    }
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function byName({ attributes = [] }: Attributes): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, plain(value)]));
}

function plain({ stringValue, intValue, doubleValue, boolValue, arrayValue }: Value): unknown {
  if (arrayValue) return (arrayValue.values ?? []).map(plain);
  return stringValue ?? (intValue === undefined ? (doubleValue ?? boolValue) : Number(intValue));
}
