import { expect, test } from '@jest/globals';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { readConfiguration } from '../../../../config/configuration.ts';
import { createWorkerService } from '../../../../setup/stack/services/worker-service.ts';

const environment = { LONGHAUL_HOME: '/nowhere/longhaul', TEMPORAL_PROFILE: 'work', TEMPORAL_API_KEY: 'secret' };

async function workerEnvironment(after: string[]): Promise<Record<string, string>> {
  const service = createWorkerService({
    configuration: readConfiguration(environment),
    environment,
    after,
    dockerHost: 'unix:///var/run/docker.sock',
    sandboxImage: 'longhaul-sandbox:test',
  });
  const addresses = { temporal: '127.0.0.1:7233', database: 'postgres://localhost/longhaul' };
  const command = await service.command({ ports: {}, addresses, signal: new AbortController().signal });
  return command.environment as Record<string, string>;
}

test("our own Temporal server is used without the person's profile, key and TLS", async () => {
  const { connectionOptions } = loadClientConnectConfig({ overrideEnvVars: await workerEnvironment(['temporal']) });
  expect(connectionOptions).toMatchObject({ address: '127.0.0.1:7233' });
  expect(connectionOptions.apiKey).toBeUndefined();
});

test('a Temporal server elsewhere is used with its profile', async () => {
  expect(await workerEnvironment([])).toMatchObject({ TEMPORAL_PROFILE: 'work', TEMPORAL_API_KEY: 'secret' });
});
