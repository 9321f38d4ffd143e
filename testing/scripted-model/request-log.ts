import type { Misbehaviour } from './misbehaviour/misbehaviour.ts';
import type { RequestAddress } from './request-address.ts';

/**
 * How a request ended. `open`: not yet. `answered`: the whole answer was sent (what a provider would bill). `refused`: with HTTP 400. `failed`: on
 * purpose, without a complete answer. `left`: the client disconnected first.
 */
export type RequestOutcome = 'open' | 'answered' | 'refused' | 'failed' | 'left';

/** A model request that the server received. */
export interface LoggedRequest extends RequestAddress {
  /** Time of arrival, in ISO 8601. */
  at: string;
  outcome: RequestOutcome;
  /** Time when sending the answer began, in ISO 8601. */
  answeredFrom?: string;
  misbehaviour?: Misbehaviour['kind'];
}

/** All requests since the server started, in order of arrival. */
export interface RequestLog {
  open(address: RequestAddress): LoggedRequest;
  list(): LoggedRequest[];
}

export function createRequestLog(): RequestLog {
  const requests: LoggedRequest[] = [];
  return {
    open: (address) => {
      const request: LoggedRequest = { ...address, at: new Date().toISOString(), outcome: 'open' };
      requests.push(request);
      return request;
    },
    list: () => requests.map((request) => ({ ...request })),
  };
}
