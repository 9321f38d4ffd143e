import { loadConfiguration } from '../../config/load-configuration.ts';
import { loadReporter } from '../reporter.ts';
import { runSetup } from '../run-setup.ts';
import { prepareServers } from './prepare-servers.ts';

// Run once before the workers if the stack consists of containers (docker-compose.yml) or of the user's own servers.
try {
  const configuration = await loadConfiguration(process.env, () => import('../../models/index.ts'));
  if (!configuration.temporal.address || !configuration.database.url) {
    throw new Error('Expected TEMPORAL_ADDRESS and DATABASE_URL, the servers to prepare. One of them is not set.');
  }
  const reporter = await loadReporter();
  const { signal } = new AbortController();
  await runSetup({ configuration, environment: process.env, reporter, signal });
  await prepareServers({ configuration, environment: process.env, reporter });
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
