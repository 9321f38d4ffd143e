import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connectDocker } from '../../../../sandbox/docker/host/connect-docker.ts';

let certificates: string;
beforeAll(() => {
  certificates = mkdtempSync(join(tmpdir(), 'longhaul-certificates-'));
  for (const name of ['ca', 'cert', 'key']) writeFileSync(join(certificates, `${name}.pem`), `the ${name}`);
});
afterAll(() => rmSync(certificates, { recursive: true, force: true }));

const connect = (host: string, environment: Record<string, string>) => connectDocker(host, { environment }).modem;

test("a host over SSH named in the environment file is reached with the agent's keys", () => {
  expect(connect('ssh://ada@build', { SSH_AUTH_SOCK: '/run/agent' })).toMatchObject({
    protocol: 'ssh',
    host: 'build',
    port: 22,
    username: 'ada',
    sshOptions: { agent: '/run/agent' },
  });
});

test('certificates named in the environment file are used', () => {
  const secure = { protocol: 'https', port: '2376', ca: 'the ca', cert: 'the cert', key: 'the key' };
  expect(connect('tcp://build:2376', { DOCKER_CERT_PATH: certificates })).toMatchObject(secure);
  const environment = { DOCKER_CERT_PATH: certificates, DOCKER_TLS_VERIFY: '1' };
  expect(connect('tcp://build', environment)).toMatchObject({ ...secure, port: 2376 });
});

test('certificates of another host are not used', () => {
  const environment = { DOCKER_CERT_PATH: certificates, DOCKER_TLS_VERIFY: '1' };
  expect(connect('unix:///docker.sock', environment)).toMatchObject({ protocol: 'http', ca: undefined });
  expect(connect('tcp://build:2375', { DOCKER_CERT_PATH: certificates })).toMatchObject({
    protocol: 'http',
    ca: undefined,
  });
});

test('missing certificates are an error', () => {
  expect(() => connect('tcp://build:2376', { DOCKER_CERT_PATH: join(certificates, 'none') })).toThrow(/none\/ca\.pem/);
});
