import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** How this host reaches the outside: what a sandbox needs to reach it the same way. */
export interface HostNetwork {
  /**
   * Proxy variables by name, in both cases. A proxy URL with a password in it is passed on as it is, since nothing else
   * would work: give such hosts a proxy without one where agents must not learn it.
   */
  proxy: Record<string, string>;
  /** PEM files that together hold the certificates trusted here; empty where the defaults of any system do. */
  caFiles: string[];
}

const proxyVariables = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY'];
const systemBundles = ['/etc/ssl/certs/ca-certificates.crt', '/etc/pki/tls/certs/ca-bundle.crt'];
const systemAdditions = ['/usr/local/share/ca-certificates', '/etc/pki/ca-trust/source/anchors'];

/** Reads the proxy and certificate settings of this host out of the environment given and the system's certificate folders. */
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

/** The certificates of those files as one PEM text; undefined where there are none. */
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
