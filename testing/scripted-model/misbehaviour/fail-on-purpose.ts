import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Wire } from '../wires/wire.ts';
import { isContentMisbehaviour, type Misbehaviour } from './misbehaviour.ts';

/**
 * Carries out a transport failure before the answer. Returns true if no answer is to follow; after a delay returns false, or true if the client did
 * not wait.
 */
export async function failOnPurpose(
  misbehaviour: Misbehaviour,
  response: ServerResponse,
  { sendError }: Wire,
): Promise<boolean> {
  if (isContentMisbehaviour(misbehaviour)) return false;
  switch (misbehaviour.kind) {
    case 'slow':
    case 'cut-stream':
      return false; // happens while the answer is sent
    case 'delay':
      await Promise.race([sleep(misbehaviour.milliseconds), closed(response)]);
      return response.closed;
    case 'rate-limit':
      sendError(
        response,
        429,
        { message: 'Rate limit reached, on purpose.', type: 'requests', code: 'rate_limit_exceeded' },
        { 'retry-after': String(misbehaviour.retryAfterSeconds) },
      );
      return true;
    case 'status':
      sendError(
        response,
        misbehaviour.status,
        {
          message: misbehaviour.message,
          type: misbehaviour.status >= 500 ? 'server_error' : 'invalid_request_error',
          code: misbehaviour.code ?? null,
        },
        misbehaviour.headers,
      );
      return true;
    case 'connection-reset':
      response.socket?.resetAndDestroy();
      return true;
    case 'hang':
      await closed(response);
      return true;
    case 'flood':
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      await flood(response, misbehaviour.text.repeat(Math.ceil(65_536 / misbehaviour.text.length)));
      return true;
  }
}

async function flood(response: ServerResponse, piece: string): Promise<void> {
  const pour = (): void => {
    while (!response.closed && response.write(piece));
    response.once('drain', pour);
  };
  pour();
  await closed(response);
}

async function closed(response: ServerResponse): Promise<void> {
  if (!response.closed) await once(response, 'close');
}
