'use strict';
// A forward proxy for the sandboxes of one network policy, in a container of its own. It listens on a socket in a volume that those sandboxes mount;
// they have no other way out. Each connection begins with a line that says which sandbox it comes from: LONGHAUL <name>.<signature>, where the name is in
// base64url. LONGHAUL_GATEWAY holds the settings; gateway-settings.ts describes them.
const { createHmac, timingSafeEqual } = require('node:crypto');
const { lookup } = require('node:dns');
const { chmodSync, existsSync, readFileSync, rmSync } = require('node:fs');
const http = require('node:http');
const net = require('node:net');
const { pipeline } = require('node:stream');

const settings = JSON.parse(process.env.LONGHAUL_GATEWAY);
const named = new RegExp(settings.named);
const refused = settings.refused.map(({ pattern, why }) => ({ pattern: new RegExp(pattern), why }));
const containerHost = readContainerHost();
const notPublic = toLists([...settings.notPublic, ...containerHost]);
const neverReached = toLists([...settings.neverReached, ...containerHost]);

const maxConnectionsOfSandbox = 200;
/** Connections of which no sandbox is known: above it, the oldest is ended. A sandbox of good will says at once who it is. */
const maxStrangers = 1_000;
const ticketMs = 10_000;
/** Time to read a refusal; a client that keeps its end open would keep the connection. */
const refusalMs = 1_000;
const idleMs = 15 * 60_000;
/** Lookups take a thread each until a name server answers, which one that is silent does not: see UV_THREADPOOL_SIZE. */
const maxLookupsOfSandbox = 4;
const maxWaitingLookups = 200;
const lookupMs = 15_000;

/** What the policy does not allow. */
class Refusal extends Error {}

/** What cannot be understood. */
class BadRequest extends Error {}

// --- What may be reached

function toLists(ranges) {
  const lists = { 4: new net.BlockList(), 6: new net.BlockList() };
  for (const range of ranges) {
    const [network, bits] = range.split('/');
    const kind = net.isIP(network);
    lists[kind].addSubnet(network, Number(bits), `ipv${kind}`);
  }
  return lists;
}

/** The container host's own address on this network: the default gateway. */
function readContainerHost() {
  if (!existsSync('/proc/net/route')) return [];
  const routes = readFileSync('/proc/net/route', 'latin1').split('\n').map((line) => line.split('\t'));
  return routes
    .filter(([, destination, gateway]) => destination === '00000000' && gateway !== '00000000')
    .map(([, , gateway]) => `${Buffer.from(gateway, 'hex').reverse().join('.')}/32`);
}

function isIn(lists, address) {
  const kind = net.isIP(address);
  return lists[kind].check(address, `ipv${kind}`);
}

function isNamed(target) {
  return named.test(authorityOf(target));
}

function authorityOf({ host, port }) {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** @throws {Refusal} if the policy does not allow the name, or the address that it is. */
function expectAllowed(target) {
  const rule = refused.find(({ pattern }) => pattern.test(authorityOf(target)));
  if (rule) throw new Refusal(`${authorityOf(target)} is refused by ${rule.why}`);
  if (!settings.all && !isNamed(target)) {
    throw new Refusal(`network policy "${settings.policy}" does not allow ${authorityOf(target)}`);
  }
  if (net.isIP(target.host)) expectReachable(target, target.host);
}

/** @throws {Refusal} if the address must not be connected to. What a policy names may be on a private network. */
function expectReachable(target, address) {
  const refused = address.includes('%') || isIn(isNamed(target) ? neverReached : notPublic, address);
  if (refused) throw new Refusal(`${authorityOf(target)} leads to ${address}, which no sandbox may reach`);
}

/** By sandbox: how many lookups run, and those that wait. */
const lookups = new Map();

/** All addresses of a name. A sandbox has only some lookups at a time, so that it cannot take those of the others. */
function lookUp({ sandbox }, host, options, done) {
  const own = lookups.get(sandbox) ?? { running: 0, waiting: [] };
  lookups.set(sandbox, own);
  if (own.waiting.length >= maxWaitingLookups) return done(new Error('too many names are looked up at once'));
  let isDone = false;
  const finish = (error, found) => {
    if (isDone) return;
    isDone = true;
    clearTimeout(timer);
    done(error, found);
  };
  const timer = setTimeout(() => finish(new Error(`its name was not resolved in ${lookupMs / 1000} s`)), lookupMs);
  own.waiting.push(() => {
    if (isDone) return false;
    // A thread is busy until then, even if nobody waits for it any more.
    lookup(host, { ...options, all: true }, (error, found) => {
      own.running -= 1;
      startLookups(sandbox, own);
      finish(error, found);
    });
    return true;
  });
  startLookups(sandbox, own);
}

function startLookups(sandbox, own) {
  while (own.running < maxLookupsOfSandbox && own.waiting.length > 0) {
    if (own.waiting.shift()()) own.running += 1;
  }
  if (own.running === 0) lookups.delete(sandbox);
}

/** Resolves names for connections to a target: what was judged is what is connected to. */
function guardedLookup(target) {
  return (host, options, done) => {
    lookUp(target, host, options, (error, found) => {
      if (error) return done(error);
      try {
        for (const { address } of found) expectReachable(target, address);
      } catch (refusal) {
        return done(refusal);
      }
      return options.all ? done(null, found) : done(null, found[0].address, found[0].family);
    });
  };
}

// --- Connections to what is allowed, directly or through the proxy of the container host

/** The proxy of the container host for a target; undefined if it is reached directly. */
function upstreamOf(scheme, { host }) {
  const { [scheme]: proxy, exceptions = [] } = settings.upstream;
  const isException = exceptions.some((one) => one === '*' || host === one || host.endsWith(`.${one}`));
  return isException ? undefined : proxy;
}

function authorization({ credentials }) {
  return credentials ? { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` } : {};
}

/** The upstream proxy resolves the name itself; what does not resolve here is left to it. */
async function expectReachableByName(target) {
  if (net.isIP(target.host)) return;
  const found = await new Promise((resolve) => lookUp(target, target.host, {}, (_error, all) => resolve(all ?? [])));
  for (const { address } of found) expectReachable(target, address);
}

/** Options of a connection without an upstream proxy: addresses are tried one after the other, each for 3 s. */
function direct(target) {
  return { lookup: guardedLookup(target), autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 3_000 };
}

async function connect(target) {
  const proxy = upstreamOf('https', target);
  if (proxy) await expectReachableByName(target);
  return new Promise((resolve, reject) => {
    if (!proxy) {
      const socket = net.connect({ ...target, ...direct(target), allowHalfOpen: true });
      socket.once('connect', () => resolve(socket)).once('error', reject);
      return;
    }
    const path = authorityOf(target);
    const request = http.request({
      ...{ host: proxy.host, port: proxy.port, method: 'CONNECT', path, agent: false },
      headers: { host: path, ...authorization(proxy) },
    });
    request.once('connect', (answer, socket, head) => {
      if (answer.statusCode === 200) {
        socket.unshift(head);
        return resolve(socket);
      }
      socket.destroy();
      reject(new Error(`the proxy of the container host answered with status ${answer.statusCode}`));
    });
    request.once('error', reject).end();
  });
}

async function ask(url, target, { method, headers }) {
  const proxy = upstreamOf('http', target);
  if (proxy) await expectReachableByName(target);
  // Node writes the body of a GET without chunks unless it is told: the next server would take it for a request of its own.
  const body = headers['transfer-encoding'] === undefined ? {} : { 'transfer-encoding': 'chunked' };
  const options = { method, agent: false, headers: { ...endToEnd(headers), ...body, host: url.host } };
  if (!proxy) {
    const path = `${url.pathname}${url.search}`;
    return http.request({ ...options, ...target, path, ...direct(target) });
  }
  const { host, port } = proxy;
  return http.request({ ...options, host, port, path: url.href, headers: { ...options.headers, ...authorization(proxy) } });
}

/** Headers without those that are meant for one connection. The length of a body is never one of them, whatever is said. */
function endToEnd(headers) {
  const named = String(headers.connection ?? '').toLowerCase().split(',').map((name) => name.trim());
  const ofConnection = named.filter((name) => name !== 'content-length');
  const ours = ['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection', 'te'];
  const left = [...ours, 'trailer', 'transfer-encoding', 'upgrade', ...ofConnection];
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !left.includes(name)));
}

// --- The proxy

const proxy = http.createServer({ requestTimeout: 0 });

proxy.on('request', async (request, response) => {
  try {
    const url = parseUrl(request.url);
    const { sandbox } = request.socket;
    const target = { host: canonicalHost(url.hostname), port: Number(url.port || 80), sandbox };
    const onward = await allow(request, target, () => ask(url, target, request));
    onward.on('response', (answer) => {
      try {
        response.writeHead(answer.statusCode, endToEnd(answer.headers));
        pipeline(answer, response, () => undefined);
      } catch (error) {
        // Such as the status 099: node reads it, but does not write it.
        answer.destroy();
        fail(request, target, error, response);
      }
    });
    onward.on('error', (error) => fail(request, target, error, response));
    request.pipe(onward);
    response.on('close', () => onward.destroy());
  } catch (error) {
    fail(request, undefined, error, response);
  }
});

proxy.on('connect', async (request, client, head) => {
  client.on('error', () => client.destroy());
  let target;
  try {
    target = { ...parseAuthority(request.url), sandbox: request.socket.sandbox };
    const server = await allow(request, target, () => connect(target));
    server.on('error', () => client.destroy());
    server.setTimeout(idleMs, () => server.destroy());
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    server.write(head);
    pipeline(client, server, () => undefined);
    pipeline(server, client, () => undefined);
  } catch (error) {
    const { status, text } = describe(request, target, error);
    refuse(client, status, text);
  }
});

function parseUrl(text) {
  try {
    const url = new URL(text);
    if (url.protocol === 'http:') return url;
  } catch {
    // answered below
  }
  throw new BadRequest('expected a request for an http:// address, or CONNECT');
}

function parseAuthority(text) {
  const [, host, port] = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+):(\d{1,5})$/i.exec(text) ?? [];
  if (host === undefined || Number(port) > 65_535) throw new BadRequest('expected CONNECT with a host name and a port');
  return { host: canonicalHost(host), port: Number(port) };
}

/** The one way to write a host, so that no other gets round a rule: like `canonicalHost` of the harness, but without brackets. */
function canonicalHost(text) {
  const name = text.replace(/\.+$/, '');
  if (!URL.canParse(`http://${name}/`) || name.split('.').includes('')) throw new BadRequest(`expected the name of a host, got ${text}`);
  const host = new URL(`http://${name}/`).hostname.replace(/^\[|\]$/g, '');
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(host) ?? [];
  if (high === undefined) return host;
  const bytes = Buffer.from(`${high.padStart(4, '0')}${low.padStart(4, '0')}`, 'hex');
  return bytes.join('.');
}

/** @throws {Refusal} after it has been logged. */
async function allow(request, target, work) {
  try {
    expectAllowed(target);
    return await work();
  } catch (error) {
    if (error instanceof Refusal) log(request.socket.sandbox, target, error.message);
    throw error;
  }
}

function describe(request, target, error) {
  if (error instanceof BadRequest) return { status: 400, text: `Longhaul: ${error.message}` };
  if (error instanceof Refusal) return { status: 403, text: `Longhaul: ${error.message}` };
  return { status: 502, text: `Longhaul: could not reach ${target ? authorityOf(target) : request.url}: ${error.message}` };
}

function fail(request, target, error, response) {
  if (error instanceof Refusal && target) log(request.socket.sandbox, target, error.message);
  if (response.headersSent) return response.destroy();
  const { status, text } = describe(request, target, error);
  response.writeHead(status, oneLine(text), { 'content-type': 'text/plain', connection: 'close' });
  response.end(`${text}\n`);
}

/** The reason is in the status line too, since that is all that many clients show. */
function plainAnswer(status, text) {
  const headers = `Content-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(text) + 1}\r\nConnection: close`;
  return `HTTP/1.1 ${status} ${oneLine(text)}\r\n${headers}\r\n\r\n${text}\n`;
}

function oneLine(text) {
  return text.replace(/[^\x20-\x7e]/g, '?');
}

// --- What was refused

/** By sandbox; what is in here was printed. */
const logged = new Map();

function log(sandbox, { host, port }, why) {
  if (logged.size > 1000) logged.clear();
  const ofSandbox = logged.get(sandbox) ?? new Set();
  logged.set(sandbox, ofSandbox);
  const one = `${host}:${port}`;
  if (ofSandbox.has(one) || ofSandbox.size >= 100) return;
  ofSandbox.add(one);
  console.log(JSON.stringify({ sandbox, host, port, why }));
}

// --- Which sandbox it is

/** Connections that were not admitted, the oldest first: those that have not said whose they are, and refused ones. */
const strangers = new Set();

function addStranger(socket) {
  strangers.add(socket);
  const [oldest] = strangers;
  if (strangers.size > maxStrangers) oldest.destroy();
}

/** Answers, and ends the connection whether or not the client ends it. */
function refuse(socket, status, text) {
  socket.end(plainAnswer(status, text));
  setTimeout(() => socket.destroy(), refusalMs);
}

/** Reads the line that a connection begins with; the rest is the proxy's. */
function admit(socket) {
  addStranger(socket);
  let read = Buffer.alloc(0);
  const timer = setTimeout(() => socket.destroy(), ticketMs);
  socket.on('error', () => socket.destroy());
  socket.on('readable', onReadable);

  function onReadable() {
    const chunk = socket.read();
    if (chunk === null) return;
    read = Buffer.concat([read, chunk]);
    const end = read.indexOf(0x0a);
    if (end === -1 && read.length < 1024) return;
    clearTimeout(timer);
    socket.removeListener('readable', onReadable);
    const sandbox = end === -1 ? undefined : readTicket(read.subarray(0, end).toString('latin1'));
    if (sandbox === undefined) return refuse(socket, 403, 'Longhaul: this connection does not say which sandbox it comes from');
    if (!count(sandbox, socket)) {
      return refuse(socket, 503, `Longhaul: a sandbox may have ${maxConnectionsOfSandbox} connections at once`);
    }
    strangers.delete(socket);
    socket.sandbox = sandbox;
    socket.unshift(read.subarray(end + 1));
    proxy.emit('connection', socket);
  }
  socket.once('close', () => {
    clearTimeout(timer);
    strangers.delete(socket);
  });
}

function readTicket(line) {
  const [, name, signature] = /^LONGHAUL ([\w-]+)\.([\w-]+)$/.exec(line) ?? [];
  if (name === undefined) return undefined;
  const expected = createHmac('sha256', settings.key).update(name).digest();
  const given = Buffer.from(signature, 'base64url');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  return Buffer.from(name, 'base64url').toString('utf8');
}

const connections = new Map();

function count(sandbox, socket) {
  const present = connections.get(sandbox) ?? 0;
  if (present >= maxConnectionsOfSandbox) return false;
  connections.set(sandbox, present + 1);
  socket.once('close', () => {
    const left = connections.get(sandbox) - 1;
    if (left > 0) connections.set(sandbox, left);
    else connections.delete(sandbox);
  });
  return true;
}

process.on('SIGTERM', () => process.exit(0));
rmSync(settings.socket, { force: true });
net.createServer({ allowHalfOpen: true }, admit).listen(settings.socket, () => {
  chmodSync(settings.socket, 0o666);
  console.log('{"listening":true}');
});
