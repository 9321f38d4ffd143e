import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { isLoopback } from '../../../domain/addresses.ts';

/** How this host reaches the internet, which a sandbox needs in order to do the same. */
export interface HostNetwork {
  /**
   * Proxy variables by name, in upper and lower case. A password in a proxy URL is passed on, since nothing else would work: if agents must not learn
   * it, give the host a proxy without one.
   */
  proxy: Record<string, string>;
  /** PEM files that together hold the certificates trusted here; empty if any system's defaults are enough. */
  caFiles: string[];
}

const proxyVariables = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY'];
const systemBundles = ['/etc/ssl/certs/ca-certificates.crt', '/etc/pki/tls/certs/ca-bundle.crt'];
const systemAdditions = ['/usr/local/share/ca-certificates', '/etc/pki/ca-trust/source/anchors'];

/** Reads this host's proxy and certificate settings from the given environment and the system's certificate folders. */
export function readHostNetwork(environment: Record<string, string | undefined>): HostNetwork {
  const proxy: Record<string, string> = {};
  for (const name of proxyVariables) {
    const value = environment[name] || environment[name.toLowerCase()];
    if (!value) continue;
    proxy[name] = value;
    proxy[name.toLowerCase()] = value;
  }
  return { proxy, caFiles: findCertificateFiles(environment) };
}

/**
 * The proxy variables that are of use in a sandbox, and the names of those that are not: a proxy on the host's own loopback address, which is another
 * one in there. Where the host also reaches the internet directly, so does a sandbox without them.
 */
export function proxyForSandboxes({ proxy }: HostNetwork): { variables: Record<string, string>; leftOut: string[] } {
  const isOfUse = ([name, value]: [string, string]) => name.toUpperCase() === 'NO_PROXY' || !isOnLoopback(value);
  const variables = Object.fromEntries(Object.entries(proxy).filter(isOfUse));
  return { variables, leftOut: proxyVariables.filter((name) => name in proxy && !(name in variables)) };
}

function isOnLoopback(proxy: string): boolean {
  const url = proxy.includes('://') ? proxy : `http://${proxy}`;
  return URL.canParse(url) && isLoopback(new URL(url).hostname);
}

/** Those certificates as one PEM text; undefined if there are none. */
export async function readCertificates(network: HostNetwork): Promise<string | undefined> {
  if (network.caFiles.length === 0) return undefined;
  const texts = await Promise.all(network.caFiles.map((file) => readFile(file, 'utf8')));
  return texts
    .map((text) => text.trimEnd())
    .join('\n')
    .concat('\n');
}

function findCertificateFiles(environment: Record<string, string | undefined>): string[] {
  const systemBundle = systemBundles.find((file) => existsSync(file));
  const extra = environment.NODE_EXTRA_CA_CERTS;
  const whole = environment.SSL_CERT_FILE || (extra || systemIsCustomised() ? systemBundle : undefined);
  return [...new Set([whole, extra])].filter((file): file is string => Boolean(file) && existsSync(file as string));
}

function systemIsCustomised(): boolean {
  return systemAdditions.some((folder) => existsSync(folder) && readdirSync(folder).length > 0);
}
