import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { LonghaulError } from '../../domain/longhaul-error.ts';
import { isPublicAddress } from './public-address.ts';

/** Maximum size of a page in bytes, decompressed. */
const maxBytes = 2 * 1024 ** 2;
const maxRedirects = 5;

/** A page that could not or must not be read; the message is for the agent. */
export class PageError extends LonghaulError<'PageUnreadable'> {
  constructor(message: string) {
    super(message, { code: 'PageUnreadable', kind: 'input' });
  }
}

export interface PageRules {
  /** Whether an address may be connected to; by default those of the public internet may. */
  isAllowed?: (address: string) => boolean;
  /** Why a redirect to a page of another host is not followed; undefined if it is. The first host is judged before. */
  refuseRedirect?: (page: URL) => Promise<string | undefined>;
  /** Maximum milliseconds for the conversion to text; 20,000 by default. */
  conversionMs?: number;
  signal: AbortSignal;
}

export interface Page {
  /** The address after all redirects. */
  address: string;
  /** `type/subtype` in lower case. */
  type: string;
  charset: string | undefined;
  body: Buffer;
}

/**
 * Requests a page over HTTP. The host and address of each hop are checked, the address at the moment of connecting, so that neither a redirect nor a
 * DNS change leads elsewhere; any port may be read. It connects directly, without the environment's proxy.
 * @throws {PageError}
 */
export async function requestPage(address: string, rules: PageRules): Promise<Page> {
  let url = parse(address);
  for (let hop = 0; hop <= maxRedirects; hop += 1) {
    expectAllowed(url, rules);
    const answer = await requestOnce(url, rules);
    if (!('location' in answer)) return answer;
    const before = url.hostname;
    url = parse(answer.location, url);
    const refused = url.hostname === before ? undefined : await rules.refuseRedirect?.(url);
    if (refused !== undefined) throw new PageError(`${address} redirects to ${url.hostname}: ${refused}`);
  }
  throw new PageError(`${address} redirects more than ${maxRedirects} times.`);
}

function parse(address: string, base?: URL): URL {
  const url = URL.canParse(address, base?.href) ? new URL(address, base) : undefined;
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password) return url;
  throw new PageError(
    `Expected an address that starts with http:// or https:// and contains no password, got ${address}.`,
  );
}

function expectAllowed(url: URL, { isAllowed = isPublicAddress }: PageRules): void {
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
  // A name's addresses are checked when it is resolved; a literal address is not resolved.
  if (isIP(host) && !isAllowed(host)) throw notPublic(host);
}

function notPublic(host: string, address = host): PageError {
  const place = host === address ? host : `${host} (${address})`;
  return new PageError(`Expected an address on the public internet, got ${place}.`);
}

function guardedLookup({ isAllowed = isPublicAddress }: PageRules): LookupFunction {
  return (host, options: LookupOptions, done) => {
    lookup(host, { ...options, all: true }, (error, found: LookupAddress[]) => {
      const refused = (found ?? []).find(({ address }) => !isAllowed(address));
      const [first] = found ?? [];
      if (error || refused || !first) {
        return done(
          error ?? (refused ? notPublic(host, refused.address) : new PageError(`${host} has no address.`)),
          '',
        );
      }
      if (options.all) done(null, found);
      else done(null, first.address, first.family);
    });
  };
}

function requestOnce(url: URL, rules: PageRules): Promise<Page | { location: string }> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      const known = error instanceof PageError || rules.signal.aborted;
      reject(known ? error : new PageError(`Could not read ${url.href}: ${error.message || error.name}.`));
    };
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(
      url,
      {
        agent: false, // no reused connection: each hop checks its own address
        lookup: guardedLookup(rules),
        signal: rules.signal,
        headers: {
          accept: 'text/html, application/xhtml+xml, text/*;q=0.9, application/json;q=0.9',
          'accept-encoding': 'gzip, deflate, br',
          'user-agent': 'Longhaul',
        },
      },
      (response) => {
        const { statusCode = 0, headers } = response;
        if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
          response.destroy();
          return resolve({ location: headers.location });
        }
        const [type = '', ...parameters] = (headers['content-type'] ?? 'text/plain').toLowerCase().split(';');
        const charset = /charset="?([\w-]+)/.exec(parameters.join(';'))?.[1];
        readBody(response, headers['content-encoding']).then((body) => {
          if (statusCode >= 200 && statusCode < 300) {
            return resolve({ address: url.href, type: type.trim(), charset, body });
          }
          fail(new PageError(`${url.href} answered with status ${statusCode}.`));
        }, fail);
      },
    );
    request.on('error', fail);
    request.end();
  });
}

async function readBody(response: Readable, encoding = 'identity'): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of unpack(response, encoding)) {
    pieces.push(piece as Buffer);
    size += (piece as Buffer).length;
    if (size <= maxBytes) continue;
    response.destroy();
    throw new PageError(`The page has more than ${maxBytes / 1024 ** 2} MB.`);
  }
  return Buffer.concat(pieces);
}

function unpack(response: Readable, encoding: string): Readable {
  const unpackers: Record<string, () => NodeJS.ReadWriteStream> = {
    gzip: createGunzip,
    deflate: createInflate,
    br: createBrotliDecompress,
  };
  if (encoding === 'identity' || encoding === '') return response;
  const unpacker = Object.hasOwn(unpackers, encoding) ? unpackers[encoding]?.() : undefined;
  if (!unpacker) throw new PageError(`Expected a page in gzip, deflate, br or no encoding, got ${encoding}.`);
  response.on('error', (error) => (unpacker as unknown as Readable).destroy(error));
  return response.pipe(unpacker) as unknown as Readable;
}
