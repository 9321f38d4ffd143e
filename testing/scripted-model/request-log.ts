import type { Misbehaviour } from './misbehaviour.ts';
import type { RequestAddress } from './request-address.ts';

/**
 * How a request ended. `open`: not yet. `answered`: the whole answer was sent (what a provider would bill). `refused`: HTTP 400.
 * `failed`: on purpose, without an answer. `left`: the client went away first.
 */
export type RequestOutcome = 'open' | 'answered' | 'refused' | 'failed' | 'left';

/** One chat completion request that the server received. */
export interface LoggedRequest extends RequestAddress {
  /** ISO 8601, when it arrived. */
  at: string;
  outcome: RequestOutcome;
  /** ISO 8601, when its answer began to be sent. */
  answeredFrom?: string;
  misbehaviour?: Misbehaviour['kind'];
}

/** The requests since the server started, in order of arrival. */
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
