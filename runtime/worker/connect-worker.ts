import { expectAddress, findAddresses } from '../../client/connection/addresses.ts';
import { createDatabaseAccess } from '../../client/connection/database-access.ts';
import { createTemporalAccess } from '../../client/connection/temporal-access.ts';
import { type ConnectOptions, loadConfiguration } from '../../client/longhaul.ts';
import { withEnvFile } from '../../config/environment.ts';
import { holdSecrets, secretsOf } from '../../domain/secrets/scrub.ts';
import { openConnection, type TemporalServer } from '../open-connection.ts';
import { createRunActivities, type RunActivities } from './run-activities.ts';

/** What a worker of a user's own workflows needs of Longhaul. */
export interface WorkerConnection {
  /** The same stack's Temporal: for `Worker.create`, and for a `Client` that starts workflows. */
  server: TemporalServer;
  /** What `runAgent` of `longhaul/workflow` calls; a worker has them beside its own. */
  activities: RunActivities;
  /** Closes the connections; the worker must have stopped. */
  close(): Promise<void>;
}

/**
 * Connects a worker to the running stack, or to the servers that the settings name:
 * `Worker.create({ ...longhaul.server, taskQueue, workflowsPath, activities: { ...longhaul.activities, ...own } })`.
 * @throws {ClientError} `StackNotRunning`
 */
export async function connectWorker(options: ConnectOptions = {}): Promise<WorkerConnection> {
  const environment = withEnvFile(options.environment ?? process.env);
  const configuration = options.configuration ?? (await loadConfiguration(environment));
  const { home } = configuration;
  const addresses = findAddresses(configuration);
  const url = expectAddress(addresses, 'database', home);
  holdSecrets(secretsOf({ ...environment, DATABASE_URL: url }));
  const server = await openConnection({ configuration, environment, addresses });
  const database = createDatabaseAccess(url);
  const address = () => expectAddress(addresses, 'temporal', home);
  const temporal = createTemporalAccess({ configuration, environment, address });
  return {
    server,
    activities: createRunActivities({ database, temporal, taskQueue: configuration.temporal.taskQueue }),
    async close() {
      await Promise.all([database.close(), temporal.close()]);
      await server.connection.close();
    },
  };
}
