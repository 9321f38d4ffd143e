import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { isContentMisbehaviour, type Misbehaviour } from './misbehaviour.ts';
import type { Wire } from './wire.ts';

/**
 * Does what goes wrong on the wire before the answer. Returns true where that was all, so that no answer follows; a delay returns
 * false when its time is over, and true where the client did not wait for it.
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
      return false; // in the answer itself
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
  }
}

async function closed(response: ServerResponse): Promise<void> {
  if (!response.closed) await once(response, 'close');
}
