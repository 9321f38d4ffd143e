import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { isLoopback } from '../../../domain/addresses.ts';

/** How this host reaches the internet, which sandboxes and their gateways need in order to do the same. */
export interface HostNetwork {
  /** Proxy variables by name, in upper and lower case. Gateways use them, and sandboxes never see them. */
  proxy: Record<string, string>;
  /** PEM files that together hold the certificates trusted here; empty if any system's defaults are enough. */
  caFiles: string[];
  /** This host's own addresses, as ranges of one address in CIDR notation; sandboxes do not reach them. */
  addresses: string[];
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
  return { proxy, caFiles: findCertificateFiles(environment), addresses: readAddresses() };
}

function readAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((ofInterface) => ofInterface ?? []);
  return [...new Set(all.map(({ address, family }) => `${address}/${family === 'IPv4' ? 32 : 128}`))];
}

/** An HTTP proxy. */
export interface UpstreamProxy {
  host: string;
  port: number;
  /** `user:password` */
  credentials?: string;
}

/** The proxies of this host that the gateways of sandboxes use. */
export interface UpstreamProxies {
  /** For `http://` addresses. */
  http?: UpstreamProxy;
  /** For everything else. */
  https?: UpstreamProxy;
  /** Hosts and domains that are reached directly; `*` for all. */
  exceptions: string[];
  /** Variables that are of no use: gateways speak to HTTP proxies only, and the host's own loopback address is another one in a container. */
  leftOut: string[];
}

/** Which of this host's proxies gateways use; where the host also reaches the internet directly, so do they without them. */
export function upstreamProxies({ proxy }: HostNetwork): UpstreamProxies {
  const { HTTP_PROXY, HTTPS_PROXY, ALL_PROXY, NO_PROXY = '' } = proxy;
  const [http, https, all] = [HTTP_PROXY, HTTPS_PROXY, ALL_PROXY].map((value) => value && toUpstream(value));
  const leftOut = Object.entries({ HTTP_PROXY: http, HTTPS_PROXY: https, ALL_PROXY: all })
    .filter(([name, found]) => proxy[name] && !found)
    .map(([name]) => name);
  const forHttp = HTTP_PROXY ? http : all;
  const forHttps = HTTPS_PROXY ? https : all;
  const exceptions = NO_PROXY.split(',').map((one) =>
    one
      .trim()
      .toLowerCase()
      .replace(/^\*?\./, ''),
  );
  return {
    ...(forHttp && { http: forHttp }),
    ...(forHttps && { https: forHttps }),
    exceptions: exceptions.filter(Boolean),
    leftOut,
  };
}

function toUpstream(value: string): UpstreamProxy | undefined {
  const text = value.includes('://') ? value : `http://${value}`;
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname, port, username, password } = new URL(text);
  if (protocol !== 'http:' || isLoopback(hostname)) return undefined;
  const credentials = username && `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80), ...(credentials && { credentials }) };
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
