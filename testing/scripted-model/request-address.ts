import type { IncomingHttpHeaders } from 'node:http';
import { RequestRefusedError } from './request-refused-error.ts';

/** Who makes a request, and at which point of its work, according to the request's `X-Longhaul-*` headers. */
export interface RequestAddress {
  project?: string;
  run?: string;
  role: string;
  feature?: string;
  attempt: number;
  /** The number of the run's model call, from 1. */
  turn: number;
}

/**
 * Reads the address from a request's headers; `X-Longhaul-Role` and `X-Longhaul-Turn` are required, the attempt defaults to 1.
 * @throws {RequestRefusedError} naming the header, what it accepts and what came.
 */
export function readAddress(headers: IncomingHttpHeaders): RequestAddress {
  const role = text(headers, 'X-Longhaul-Role');
  if (role === undefined) {
    throw new RequestRefusedError(
      'script_address_missing',
      'Expected the header X-Longhaul-Role, got none. The scripted model answers by X-Longhaul-* headers; switch them on (LONGHAUL_MODEL_HEADERS=on).',
    );
  }
  const project = text(headers, 'X-Longhaul-Project');
  const run = text(headers, 'X-Longhaul-Run');
  const feature = text(headers, 'X-Longhaul-Feature');
  return {
    ...(project === undefined ? {} : { project }),
    ...(run === undefined ? {} : { run }),
    role,
    ...(feature === undefined ? {} : { feature }),
    attempt: count(headers, 'X-Longhaul-Attempt') ?? 1,
    turn: count(headers, 'X-Longhaul-Turn') ?? missingTurn(),
  };
}

/** An address in words, for messages. */
export function describeAddress(address: RequestAddress): string {
  const feature = address.feature === undefined ? 'no feature' : `feature ${address.feature}`;
  return `role ${address.role}, ${feature}, attempt ${address.attempt}, turn ${address.turn}`;
}

function text(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name.toLowerCase()];
  if (typeof value !== 'string' || value === '') return undefined;
  try {
    return decodeURIComponent(value);
  } catch (cause) {
    throw new RequestRefusedError('script_address_malformed', `Expected ${name} to be URI-encoded, got "${value}".`, {
      cause,
    });
  }
}

function count(headers: IncomingHttpHeaders, name: string): number | undefined {
  const value = text(headers, name);
  if (value === undefined) return undefined;
  if (/^[1-9]\d*$/.test(value)) return Number(value);
  throw new RequestRefusedError('script_address_malformed', `Expected ${name} to be a count from 1, got "${value}".`);
}

function missingTurn(): never {
  throw new RequestRefusedError('script_address_missing', 'Expected the header X-Longhaul-Turn, got none.');
}
