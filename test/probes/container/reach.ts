import type { Probe } from '../run-probes.ts';

/** The host and the neighbour, as addresses are also written. */
const hosts: Record<string, string> = {
  'the host': '$HOST_IP:$PORT',
  'the host, in decimal': `$(printf %d 0x$(printf %02x \${HOST_IP//./ })):$PORT`,
  'the host, in hexadecimal': `0x$(printf %02x \${HOST_IP//./ }):$PORT`,
  'the host, in octal': `0$(printf %o 0x$(printf %02x \${HOST_IP//./ })):$PORT`,
  'the host, as IPv6': '[::ffff:$HOST_IP]:$PORT',
  'the host, as IPv6 in hexadecimal': `[::ffff:$(printf %02x%02x:%02x%02x \${HOST_IP//./ })]:$PORT`,
  'the host, as IPv4 in IPv6': '[::$HOST_IP]:$PORT',
  'the host, by NAT64': '[64:ff9b::$HOST_IP]:$PORT',
  'the host, with a dot': '$HOST_IP.:$PORT',
  'the host, with wide dots': `\${HOST_IP//./。}:$PORT`,
  'the host, percent-encoded': `%3$(echo $HOST_IP | cut -c1)\${HOST_IP:1}:$PORT`,
  'a neighbour': '$NEIGHBOUR:8000',
  'a neighbour, with zeros': '00$NEIGHBOUR:8000',
  loopback: '127.0.0.1:$PORT',
  'loopback by name': 'localhost:$PORT',
  'loopback, short': '127.1:$PORT',
  'loopback, in decimal': '2130706433:$PORT',
  'any address': '0.0.0.0:$PORT',
  'any address, as 0': '0:$PORT',
  'IPv6 loopback': '[::1]:$PORT',
  'any IPv6 address': '[::]:$PORT',
  metadata: '169.254.169.254:80',
  'metadata of containers': '169.254.170.2:80',
  'metadata, in decimal': '2852039166:80',
  'metadata over IPv6': '[fd00:ec2::254]:80',
  'metadata of Alibaba': '100.100.100.200:80',
  'metadata of Azure': '168.63.129.16:80',
  'a private network': '10.0.0.1:80',
  'a link-local address with its zone': '[fe80::1%25eth0]:80',
  multicast: '224.0.0.1:80',
  broadcast: '255.255.255.255:80',
};

/** Sends raw bytes to the proxy, which may leave the connection open after a refusal. */
const raw = (bytes: string, seconds = 3) =>
  `exec 3<>/dev/tcp/127.0.0.1/18128 && printf %b "${bytes}" >&3 && timeout ${seconds} cat <&3`;
const inside = 'GET / HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n';

const ways: Record<string, (host: string) => string> = {
  'past the proxy': (host) => `curl -s -m 1 --noproxy "*" "http://${host}/"`,
  'by a request': (host) => raw(`GET http://${host}/ HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n`),
  'by a tunnel': (host) => raw(`CONNECT ${host} HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n${inside}`),
};

const byAddress = Object.entries(hosts).flatMap(([name, host]) =>
  Object.entries(ways).map(([way, script]): Probe => ({ name: `${name}, ${way}`, reads: script(host) })),
);

const proxied = (name: string, bytes: string, seconds?: number): Probe => ({ name, reads: raw(bytes, seconds) });
/** What does get an answer may take its time on a busy machine. */
const patient = 9;
const host = '$HOST_IP:$PORT';
const named = '$NEIGHBOUR:8000';

/** Requests that a proxy and a server might read differently; the neighbour is what a policy may name. */
const ambiguous: Probe[] = [
  proxied(
    'a name before the address',
    `GET http://${named}@${host}/ HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n`,
  ),
  proxied(
    'an address after a backslash',
    `GET http://${host}\\\\\\\\@${named}/secret HTTP/1.1\\r\\nConnection: close\\r\\n\\r\\n`,
  ),
  proxied(
    'another host in the header',
    `GET http://${named}/ HTTP/1.1\\r\\nHost: ${host}\\r\\nConnection: close\\r\\n\\r\\n`,
  ),
  proxied('no host in the line', `GET / HTTP/1.1\\r\\nHost: ${host}\\r\\nConnection: close\\r\\n\\r\\n`),
  proxied(
    'two hosts in the header',
    `GET / HTTP/1.1\\r\\nHost: ${named}\\r\\nHost: ${host}\\r\\nConnection: close\\r\\n\\r\\n`,
  ),
  proxied(
    'a second request behind the first',
    `GET http://${named}/ HTTP/1.1\\r\\nHost: x\\r\\n\\r\\nGET http://${host}/ HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n`,
  ),
  proxied(
    'a second request in the body',
    `POST http://${named}/ HTTP/1.1\\r\\nHost: x\\r\\nContent-Length: 0\\r\\n\\r\\nCONNECT ${host} HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n${inside}`,
  ),
  proxied(
    'two lengths',
    `POST http://${named}/ HTTP/1.1\\r\\nHost: x\\r\\nContent-Length: 0\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n0\\r\\n\\r\\nGET http://${host}/ HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n`,
  ),
  proxied('a line break in the host', `CONNECT ${named}\\r\\nX: ${host} HTTP/1.1\\r\\n\\r\\n${inside}`),
  proxied('a space in the host', `CONNECT ${named} ${host} HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n${inside}`),
  proxied('a zero byte in the host', `CONNECT ${host}\\\\000.${named} HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n${inside}`),
  proxied('two ports', `CONNECT ${host}:80 HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n${inside}`),
  proxied('a port beyond the last', `CONNECT $HOST_IP:$((PORT + 65536)) HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n${inside}`),
  proxied('an address in the path', `CONNECT ${named}/../${host} HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n${inside}`),
  proxied('another protocol', `GET ftp://${host}/ HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n`),
  proxied('a file of the gateway', `GET file:///proc/self/environ HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n`),
  proxied(
    'an upgrade',
    `GET http://${host}/ HTTP/1.1\\r\\nHost: x\\r\\nConnection: Upgrade\\r\\nUpgrade: websocket\\r\\n\\r\\n`,
  ),
  proxied(
    'a forwarded address',
    `GET http://${named}/ HTTP/1.1\\r\\nHost: x\\r\\nForwarded: host=${host}\\r\\nX-Forwarded-Host: ${host}\\r\\nConnection: close\\r\\n\\r\\n`,
  ),
  proxied('HTTP/0.9', `GET http://${host}/\\r\\n`),
  proxied('HTTP/2 at once', `PRI * HTTP/2.0\\r\\n\\r\\nSM\\r\\n\\r\\n`),
  proxied('SOCKS', `\\\\005\\\\001\\\\000`),
];

const python = (name: string, code: string): Probe => ({ name, reads: `python3 -c '${code}'` });

/** Ways without HTTP. */
const other: Probe[] = [
  {
    name: 'TCP by bash',
    reads: 'exec 3<>/dev/tcp/$HOST_IP/$PORT && printf "GET / HTTP/1.0\\r\\n\\r\\n" >&3 && timeout 3 cat <&3',
  },
  python(
    'UDP',
    'import os,socket; s=socket.socket(type=socket.SOCK_DGRAM); s.connect((os.environ["HOST_IP"],53)); s.send(b"x"); print("canary-"+"0"*32)',
  ),
  python('a name by DNS', 'import socket; socket.getaddrinfo("registry.npmjs.org",80); print("canary-"+"0"*32)'),
  python('IPv6', 'import socket; socket.create_connection(("2606:4700:4700::1111",80),2); print("canary-"+"0"*32)'),
  python(
    'VSOCK to the host',
    'import socket; socket.socket(socket.AF_VSOCK).connect((2,1024)); print("canary-"+"0"*32)',
  ),
  python(
    'a socket of a virtual machine',
    'import socket; s=socket.socket(40); s.settimeout(1); s.connect((1,22)); print("canary-"+"0"*32)',
  ),
  python('Bluetooth', 'import socket; socket.socket(31,1,3); print("canary-"+"0"*32)'),
  python(
    'the kernel crypto interface',
    'import socket; socket.socket(socket.AF_ALG,socket.SOCK_SEQPACKET).bind(("hash","sha256")); open("/dev/null"); raise SystemExit',
  ),
  { name: 'ping', reads: 'ping -c1 -W1 $HOST_IP && echo canary-00000000000000000000000000000000' },
  {
    name: 'a new address for itself',
    reads: 'ip addr add 172.17.0.99/16 dev lo && echo canary-00000000000000000000000000000000',
  },
  { name: 'another proxy', reads: 'http_proxy=http://$HOST_IP:$PORT curl -s -m 2 http://example.invalid/' },
  {
    name: 'a socket in another folder',
    reads:
      'for s in /run/*/*.sock /run/*.sock /tmp/*.sock; do [ "$s" = /run/longhaul-network/gateway.sock ] || curl -s -m 1 --unix-socket $s http://x/; done',
  },
];

export const reach: Probe[] = [...byAddress, ...ambiguous, ...other];

/** Reached where a policy names the neighbour. */
export const reachControl: Probe[] = [
  { name: 'a request', reads: `curl -s -m ${patient} http://${named}/` },
  { name: 'a tunnel', reads: `curl -s -m ${patient} --proxytunnel http://${named}/` },
  proxied(
    'bytes of a request',
    `GET http://${named}/ HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n`,
    patient,
  ),
  proxied('bytes of a tunnel', `CONNECT ${named} HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n${inside}`, patient),
];
