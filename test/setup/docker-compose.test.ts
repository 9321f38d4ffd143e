import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { execa } from 'execa';
import { parse } from 'yaml';
import { packageRoot } from '../../config/package-root.ts';
import { providerVariables } from '../../config/settings/model-settings.ts';
import { modelRoles, textRoles } from '../../domain/model/model-role.ts';

interface ComposeService {
  image: string;
  build?: object;
  ports?: string[];
  environment?: Record<string, string>;
  volumes?: string[];
  group_add?: string[];
  user?: string;
  networks?: string[];
  healthcheck?: object;
  command?: string[];
  restart?: string;
}

const file = join(packageRoot(), 'docker-compose.yml');
const text = readFileSync(file, 'utf8');
const { services, volumes, networks } = parse(text, { merge: true }) as {
  services: Record<string, ComposeService>;
  volumes: Record<string, unknown>;
  networks: Record<string, unknown>;
};
/** The default of `${NAME:-image}`, or the image itself. */
const imageOf = (image: string) => /^\$\{\w+:-(.*)\}$/.exec(image)?.[1] ?? image;

/** The settings named in the images' documentation and start scripts; any other has no effect. */
const settingsOfImages: Record<string, RegExp> = {
  postgres: /^(POSTGRES_(USER|PASSWORD|DB|INITDB_ARGS|HOST_AUTH_METHOD)|PGDATA|LONGHAUL_PASSWORD)$/, // the last for make-role.sh
  'wollomatic/socket-proxy': /^SP_/,
  'temporalio/admin-tools': /^SQL_(PLUGIN|HOST|PORT|USER|PASSWORD)$/,
  'temporalio/server':
    /^(DB|DB_PORT|POSTGRES_(SEEDS|USER|PWD)|BIND_ON_IP|NUM_HISTORY_SHARDS|LOG_LEVEL|DYNAMIC_CONFIG_FILE_PATH)$/,
  'temporalio/ui': /^TEMPORAL_(ADDRESS|UI_PORT|CORS_ORIGINS|DEFAULT_NAMESPACE)$/,
};

const ofRoles = [
  ...modelRoles.map((role) => `LONGHAUL_MODEL_${role.toUpperCase()}`),
  ...textRoles.map((role) => `LONGHAUL_REASONING_EFFORT_${role.toUpperCase()}`),
];

/** Read by libraries, and by `readHostNetwork` for sandboxes. */
const ofProxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'];

test('an unknown setting is not passed to the containers', () => {
  const schema = readFileSync(join(packageRoot(), 'config', 'configuration.ts'), 'utf8');
  const own = [...schema.matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(([, name]) => name);
  const known = new Set([...own, ...providerVariables, ...ofRoles, ...ofProxies, 'TZ']);
  expect(known).toContain('DATABASE_URL');
  for (const [name, { image, environment = {} }] of Object.entries(services)) {
    if (!image.startsWith('longhaul:')) continue;
    for (const setting of Object.keys(environment))
      expect({ name, setting, known: known.has(setting) }).toMatchObject({ known: true });
  }
});

test('a model or proxy that a person sets reaches the worker', () => {
  const environment = services.worker?.environment ?? {};
  for (const name of [...providerVariables, 'LONGHAUL_MODEL', ...ofRoles, ...ofProxies, 'LANCEDB_URI', 'TZ'])
    expect({ name, value: environment[name] }).toEqual({ name, value: `\${${name}:-}` });
});

test('a setting unknown to an image is not passed to it', () => {
  for (const { image, environment = {} } of Object.values(services)) {
    const settings = settingsOfImages[imageOf(image).split(':')[0] as string];
    if (image.startsWith('longhaul:')) continue;
    expect(settings).toBeDefined();
    for (const setting of Object.keys(environment)) expect(setting).toMatch(settings as RegExp);
  }
});

test('images are pinned', () => {
  for (const { image } of Object.values(services))
    expect(imageOf(image)).toMatch(/:(local|\d+(\.\d+)+)(@sha256:[0-9a-f]{64})?$/);
});

test('the same content is built and run wherever the digest is known', () => {
  const byTag = Object.entries(services).filter(([, { image }]) => !/:local$|@sha256:/.test(imageOf(image)));
  expect(byTag.map(([name]) => name)).toEqual(['temporal-schema', 'temporal', 'temporal-ui']);
  const dockerfile = readFileSync(join(packageRoot(), 'Dockerfile'), 'utf8');
  for (const [line] of dockerfile.matchAll(/^FROM .*$/gm)) expect(line).toMatch(/^FROM \$\{NODE_IMAGE\}/);
  const [, node] = /^ARG NODE_IMAGE=(.*)$/m.exec(dockerfile) ?? [];
  expect(node).toMatch(/^node:20-bookworm-slim@sha256:[0-9a-f]{64}$/);
  expect(text).toContain(`\${NODE_IMAGE:-${node}}`);
});

test('no port is open to the network', () => {
  const ports = Object.values(services).flatMap((service) => service.ports ?? []);
  expect(ports).toHaveLength(3);
  for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
});

test('no password has a default', () => {
  const passwords = [...text.matchAll(/\$\{(\w*PASSWORD)(:.)/g)];
  expect(new Set(passwords.map(([, name]) => name))).toEqual(
    new Set(['TEMPORAL_POSTGRES_PASSWORD', 'LONGHAUL_POSTGRES_PASSWORD', 'LONGHAUL_POSTGRES_ADMIN_PASSWORD']),
  );
  for (const [, name, kind] of passwords) expect({ name, kind }).toEqual({ name, kind: ':?' });
  for (const { environment = {} } of Object.values(services))
    for (const [name, value] of Object.entries(environment))
      if (/PASSWORD|PWD/.test(name)) expect(value).toMatch(/^\$\{/);
});

test('the worker connects to Postgres as a role that is no superuser', () => {
  expect(services.worker?.environment?.DATABASE_URL).toMatch(/^postgres:\/\/longhaul:/);
  expect(services.postgres?.environment).not.toHaveProperty('POSTGRES_USER'); // so it is `postgres`
  const script = readFileSync(join(packageRoot(), 'setup', 'cluster', 'make-role.sh'), 'utf8');
  expect(services.postgres?.volumes?.join()).toContain('./setup/cluster/make-role.sh:/docker-entrypoint-initdb.d/');
  expect(script).toContain('create role longhaul login password');
});

test("only the proxy, and what builds the sandbox image and ends, hold Docker's socket", () => {
  const holders = Object.entries(services).filter(([, service]) =>
    JSON.stringify(service.volumes ?? []).includes('docker.sock'),
  );
  expect(holders.map(([name]) => name).sort()).toEqual(['docker-proxy', 'prepare']);
  expect(services.prepare?.restart).toBe('on-failure:5');
  expect(services.worker?.environment?.DOCKER_HOST).toBe('tcp://docker-proxy:2375');
  expect(services['docker-proxy']?.networks).toEqual(['docker']);
  expect(networks).toEqual({ docker: { internal: true } });
  expect(services['docker-proxy']?.ports).toBeUndefined();
  expect(services['docker-proxy']?.command).toEqual(
    expect.arrayContaining(['-allowfrom=worker', '-allowbindmountfrom=/nowhere']),
  );
});

test('a service counts as ready only when it is', () => {
  const lasting = Object.entries(services).filter(([, { restart }]) => restart === 'unless-stopped');
  expect(lasting).toHaveLength(7);
  const dockerfile = readFileSync(join(packageRoot(), 'Dockerfile'), 'utf8');
  expect(dockerfile).toContain('HEALTHCHECK');
  for (const [name, service] of lasting) if (name !== 'worker') expect(service).toHaveProperty('healthcheck');
});

test('each program that the containers run exists', () => {
  const dockerfile = readFileSync(join(packageRoot(), 'Dockerfile'), 'utf8');
  const text = `${dockerfile}\n${JSON.stringify(services)}`;
  const programs = [...text.matchAll(/\/opt\/longhaul\/(dist\/[\w/-]+\.js)/g)].map(([, path]) => path as string);
  expect(programs.length).toBeGreaterThanOrEqual(4);
  for (const path of programs) expect(() => readFileSync(join(packageRoot(), path))).not.toThrow();
});

test('data outlives its container', () => {
  expect(Object.keys(volumes).sort()).toEqual(['data', 'postgres', 'projects', 'temporal-postgres']);
});

const passwords = {
  TEMPORAL_POSTGRES_PASSWORD: 'first',
  LONGHAUL_POSTGRES_PASSWORD: 'second',
  LONGHAUL_POSTGRES_ADMIN_PASSWORD: 'third',
};

// CI installs docker-compose for this test (.ci/run); elsewhere it runs if either form of the program is installed.
const compose = await findCompose();
const withCompose = compose === undefined && !process.env.CI ? test.skip : test;
withCompose('docker compose accepts the file', async () => {
  const [program, ...parameters] = compose as [string, ...string[]];
  const { stdout } = await execa(program, [...parameters, '--file', file, '--profile', 'scripted', 'config'], {
    env: { DOCKER_GROUP: '999', OPENAI_API_KEY: 'a-key', ...passwords },
  });
  const resolved = parse(stdout) as { services: Record<string, ComposeService> };
  expect(Object.keys(resolved.services).sort()).toEqual(Object.keys(services).sort());
  expect(resolved.services.worker?.environment).toMatchObject({
    DATABASE_URL: 'postgres://longhaul:second@postgres:5432/longhaul',
    TEMPORAL_ADDRESS: 'temporal:7233',
    OPENAI_API_KEY: 'a-key',
  });
});

withCompose('docker compose refuses the file while a password is missing', async () => {
  const [program, ...parameters] = compose as [string, ...string[]];
  for (const name of Object.keys(passwords)) {
    const env = { ...passwords, [name]: '' };
    const said = await execa(program, [...parameters, '--file', file, 'config'], { env, reject: false });
    expect(said.exitCode).not.toBe(0);
    expect(said.stderr).toContain(name);
  }
});

async function findCompose(): Promise<string[] | undefined> {
  for (const command of [['docker', 'compose'], ['docker-compose']]) {
    const [program, ...parameters] = command as [string, ...string[]];
    const { failed } = await execa(program, [...parameters, 'version'], { reject: false });
    if (!failed) return command;
  }
  return undefined;
}
