import { Agent, EnvHttpProxyAgent, fetch as fetchBy, type RequestInit } from 'undici';
import { isLoopback } from '../domain/addresses.ts';
import { ModelError } from '../domain/model/model-error.ts';
import { quoteServer } from '../domain/quote-server.ts';

/** A model may think for longer than undici's five minutes: a provider has its own limit (`idleMs`), and ends the request by its signal. */
const timeouts = { headersTimeout: 0, bodyTimeout: 0 };

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Creates a `fetch` without timeouts that follows no redirect. It reaches this machine directly, and others through the proxies that the environment names at first use. */
export function createPatientFetch(): typeof fetch {
  const direct = new Agent(timeouts);
  let proxied: EnvHttpProxyAgent | undefined;
  const send = (input: string | URL, init?: RequestInit) => {
    if (isLoopback(new URL(input).hostname)) return fetchBy(input, { ...init, dispatcher: direct });
    proxied ??= new EnvHttpProxyAgent(timeouts);
    return fetchBy(input, { ...init, dispatcher: proxied });
  };
  const patient = async (input: string | URL, init?: RequestInit) => {
    const response = await send(input, { ...init, redirect: 'manual' });
    if (!redirects.has(response.status)) return response;
    await response.body?.cancel();
    throw redirected(new URL(input), response.headers.get('location') ?? 'nowhere');
  };
  return patient as unknown as typeof fetch;
}

/** What an agent was given would go to any host that the server names. The address is named without its query, which may hold a key. */
function redirected({ origin, pathname }: URL, location: string): ModelError {
  return new ModelError(
    `${origin}${pathname} redirects to ${quoteServer(location)}, which is not followed: the base URL must be the address that answers.`,
    { code: 'ModelNotFound' },
  );
}

/** A `fetch` for model calls that waits as long as a model thinks and follows no redirect; takes an address. `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` set its proxies. */
export const patientFetch: typeof fetch = createPatientFetch();
