import { Agent, EnvHttpProxyAgent, fetch as fetchBy, type RequestInit } from 'undici';
import { isLoopback } from '../domain/addresses.ts';

/** A model may think for longer than undici's five minutes: a provider has its own limit (`idleMs`), and ends the request by its signal. */
const timeouts = { headersTimeout: 0, bodyTimeout: 0 };

/** Creates a `fetch` without timeouts. It reaches this machine directly, and others through the proxies that the environment names at first use. */
export function createPatientFetch(): typeof fetch {
  const direct = new Agent(timeouts);
  let proxied: EnvHttpProxyAgent | undefined;
  const patient = (input: string | URL, init?: RequestInit) => {
    if (isLoopback(new URL(input).hostname)) return fetchBy(input, { ...init, dispatcher: direct });
    proxied ??= new EnvHttpProxyAgent(timeouts);
    return fetchBy(input, { ...init, dispatcher: proxied });
  };
  return patient as unknown as typeof fetch;
}

/** A `fetch` for model calls that waits as long as a model thinks; takes an address. `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` set its proxies. */
export const patientFetch: typeof fetch = createPatientFetch();
