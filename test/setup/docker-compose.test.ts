import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { execa } from 'execa';
import { parse } from 'yaml';
import { providerVariables } from '../../config/model-settings.ts';
import { packageRoot } from '../../config/package-root.ts';
import { modelRoles, textRoles } from '../../domain/model/model-role.ts';

interface ComposeService {
  image: string;
  build?: string;
  ports?: string[];
  environment?: Record<string, string>;
  healthcheck?: object;
  command?: string[];
  restart?: string;
}

const file = join(packageRoot(), 'docker-compose.yml');
const { services, volumes } = parse(readFileSync(file, 'utf8'), { merge: true }) as {
  services: Record<string, ComposeService>;
  volumes: Record<string, unknown>;
};

/** The settings named in the images' documentation and start scripts; any other has no effect. */
const settingsOfImages: Record<string, RegExp> = {
  postgres: /^(POSTGRES_(USER|PASSWORD|DB|INITDB_ARGS|HOST_AUTH_METHOD)|PGDATA)$/,
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
    const settings = settingsOfImages[image.split(':')[0] as string];
    if (image.startsWith('longhaul:')) continue;
    expect(settings).toBeDefined();
    for (const setting of Object.keys(environment)) expect(setting).toMatch(settings as RegExp);
  }
});

test('images are pinned', () => {
  for (const { image } of Object.values(services)) expect(image).toMatch(/:(local|\d+(\.\d+)+)$/);
});

test('no port is open to the network', () => {
  const ports = Object.values(services).flatMap((service) => service.ports ?? []);
  expect(ports).toHaveLength(3);
  for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
});

test('a service counts as ready only when it is', () => {
  const lasting = Object.entries(services).filter(([, { restart }]) => restart === 'unless-stopped');
  expect(lasting).toHaveLength(6);
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

// CI installs docker-compose for this test (.ci/run); elsewhere it runs if either form of the program is installed.
const compose = await findCompose();
const withCompose = compose === undefined && !process.env.CI ? test.skip : test;
withCompose('docker compose accepts the file', async () => {
  const [program, ...parameters] = compose as [string, ...string[]];
  const { stdout } = await execa(program, [...parameters, '--file', file, '--profile', 'scripted', 'config'], {
    env: { DOCKER_GROUP: '999', OPENAI_API_KEY: 'a-key' },
  });
  const resolved = parse(stdout) as { services: Record<string, ComposeService> };
  expect(Object.keys(resolved.services).sort()).toEqual(Object.keys(services).sort());
  expect(resolved.services.worker?.environment).toMatchObject({
    DATABASE_URL: 'postgres://longhaul:longhaul@postgres:5432/longhaul',
    TEMPORAL_ADDRESS: 'temporal:7233',
    OPENAI_API_KEY: 'a-key',
  });
});

async function findCompose(): Promise<string[] | undefined> {
  for (const command of [['docker', 'compose'], ['docker-compose']]) {
    const [program, ...parameters] = command as [string, ...string[]];
    const { failed } = await execa(program, [...parameters, 'version'], { reject: false });
    if (!failed) return command;
  }
  return undefined;
}
