import { Client } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { NativeConnection } from '@temporalio/worker';
import { readConfiguration } from '../config/configuration.ts';
import type { ConfigFile } from '../config/define-config.ts';
import { definedOnly } from '../config/environment.ts';
import { loadConfigFile } from '../config/load-configuration.ts';
import { packageRoot } from '../config/package-root.ts';
import type { ModelProvider } from '../domain/model/model-provider.ts';
import { holdSecrets, secretsOf } from '../domain/secrets/scrub.ts';
import type { Sandboxes } from '../sandbox/sandbox.ts';
import { createLog } from '../telemetry/create-log.ts';
import { dataConverterOf } from '../temporal/data-converter.ts';
import { createDependencies } from '../workers/create-dependencies.ts';
import { createWorker } from '../workers/create-worker.ts';
import { openTelemetry } from '../workers/open-telemetry.ts';
import { workflowBundlePath } from '../workers/run-worker.ts';

export interface TestWorkerOptions {
  /** What `longhaul up` gives its worker: at least `LONGHAUL_HOME`, `DATABASE_URL`, `TEMPORAL_ADDRESS` and `LONGHAUL_TASK_QUEUE`. */
  environment: Record<string, string | undefined>;
  /** Where agents work, such as a `ScriptedSandbox`'s sandboxes. */
  sandboxes: Sandboxes;
  /** Providers of models in addition to those of `longhaul.config.ts`. */
  providers?: ModelProvider[];
  /** By default the bundle that the build made. */
  workflowBundle?: { codePath: string };
  /** What workflow code may call; needed to count the coverage of workflows. */
  sinks?: WorkflowSinks;
}

/** Functions by sink and name, as Temporal's SDK takes them. */
export type WorkflowSinks = Record<
  string,
  Record<string, { fn(info: object, ...parameters: unknown[]): void | Promise<void>; callDuringReplay?: boolean }>
>;

export interface TestWorker {
  /** Gives running work up to three seconds to finish. The next worker on the task queue continues the rest. */
  stop(): Promise<void>;
}

/**
 * Runs a worker in this process, with real Temporal and Postgres servers and the sandboxes given.
 * @throws {ConfigurationError} if the environment or its `longhaul.config.ts` is invalid.
 */
export async function createTestWorker({
  environment,
  sandboxes,
  providers = [],
  workflowBundle,
  sinks,
}: TestWorkerOptions): Promise<TestWorker> {
  holdSecrets(secretsOf(environment));
  const file = environment.LONGHAUL_CONFIG
    ? await loadConfigFile(environment.LONGHAUL_CONFIG, () => import('../models/index.ts'))
    : undefined;
  const configuration = readConfiguration(environment, withProviders(file, providers));
  const { connectionOptions } = loadClientConnectConfig({ overrideEnvVars: definedOnly(environment) });
  const connection = await NativeConnection.connect(connectionOptions);
  const { namespace, taskQueue, payloadKeys } = configuration.temporal;
  const telemetry = await openTelemetry(configuration, createLog(configuration.logging, process.stderr));
  const { dependencies, close } = await createDependencies(
    configuration,
    new Client({ connection, namespace, ...dataConverterOf(payloadKeys, packageRoot()) }),
    sandboxes,
    environment,
    telemetry,
  );
  const worker = await createWorker({
    connection,
    namespace,
    taskQueue,
    dependencies,
    payloadKeys,
    workflowBundle: workflowBundle ?? { codePath: workflowBundlePath() },
    ...(sinks && { sinks }),
  });
  const running = worker.run();
  return {
    async stop() {
      worker.shutdown();
      await running;
      await close();
      await connection.close();
      await telemetry.tracer.close();
    },
  };
}

function withProviders(file: ConfigFile | undefined, providers: ModelProvider[]): ConfigFile | undefined {
  if (!providers.length) return file;
  const { path = 'longhaul.config.ts', config = {} } = file ?? {};
  return { path, config: { ...config, providers: [...(config.providers ?? []), ...providers] } };
}
