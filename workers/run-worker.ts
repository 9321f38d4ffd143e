import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { NativeConnection } from '@temporalio/worker';
import { pruneDeletedChats } from '../activities/chat/discard-chat.ts';
import type { Dependencies } from '../activities/dependencies.ts';
import { pruneUnowned } from '../activities/sandbox/prune-unowned.ts';
import type { Configuration } from '../config/configuration.ts';
import { definedOnly } from '../config/environment.ts';
import { packageRoot } from '../config/package-root.ts';
import { stackId } from '../config/stack-id.ts';
import { holdSecrets, secretsOf } from '../domain/secrets/scrub.ts';
import type { Log } from '../domain/telemetry/log.ts';
import type { Telemetry } from '../domain/telemetry/telemetry.ts';
import { removeAbandonedFolders } from '../git/process/temporary-folder.ts';
import { createSandboxes } from '../sandbox/docker/create-sandboxes.ts';
import { connectDocker } from '../sandbox/docker/host/connect-docker.ts';
import { type HostNetwork, readHostNetwork, upstreamProxies } from '../sandbox/docker/host/host-network.ts';
import { readIsolation } from '../sandbox/docker/host/isolation.ts';
import { imageTag } from '../sandbox/image/image-tag.ts';
import { dataConverterOf } from '../temporal/data-converter.ts';
import { createDependencies } from './create-dependencies.ts';
import { createWorker } from './create-worker.ts';
import { scheduleConsolidation } from './schedule-consolidation.ts';
import { scheduleMaintenance } from './schedule-maintenance.ts';
import { watchDisk } from './watch-disk.ts';

export interface RunWorkerOptions {
  configuration: Configuration;
  environment: Record<string, string | undefined>;
  /** Its tracer is closed with the worker. */
  telemetry: Telemetry;
  /** Called once the worker polls for tasks. */
  onReady(): void;
  /** Shuts the worker down: work in flight gets three seconds to finish; whatever remains is retried on the next worker. */
  signal: AbortSignal;
}

/** Runs one worker and its dependencies until `signal` aborts. */
export async function runWorker(options: RunWorkerOptions): Promise<void> {
  const { configuration, environment, telemetry, onReady, signal } = options;
  const { log } = telemetry;
  holdSecrets(secretsOf(environment));
  const { connectionOptions, namespace } = loadClientConnectConfig({ overrideEnvVars: definedOnly(environment) });
  const inNamespace = namespace ?? configuration.temporal.namespace;
  const connection = await NativeConnection.connect(connectionOptions);
  const { payloadKeys } = configuration.temporal;
  const client = new Client({
    connection,
    namespace: inNamespace,
    ...dataConverterOf(payloadKeys, packageRoot()),
  });
  const network = readHostNetwork(environment);
  warnOfSkippedProxies(network, log);
  const stack = stackId(configuration.home); // before anything creates files that make the data folder look used
  const { image: gatewayImage = await imageTag(packageRoot()), registries, disk: diskQuota } = configuration.sandbox;
  const docker = connectDocker(configuration.docker.host);
  const isolation = await readIsolation(configuration.sandbox.isolation);
  const sandboxes = createSandboxes({ docker, network, stack, isolation, diskQuota, gatewayImage, registries });
  const { dependencies, close } = await createDependencies(configuration, client, sandboxes, environment, telemetry);
  const ended = new AbortController();
  const watching = watchDisk(sandboxes, log, ended.signal);
  try {
    await prune(dependencies);
    const { taskQueue } = configuration.temporal;
    await Promise.all([
      scheduleMaintenance(client, taskQueue),
      scheduleConsolidation(client, taskQueue, configuration.memory),
    ]).catch((error: unknown) => {
      // Recall works without the schedules and only gets slower over time; a cluster may not allow schedules.
      log.warn('Could not create the memory-maintenance schedules.', { error });
    });
    const worker = await createWorker({
      connection,
      namespace: inNamespace,
      taskQueue,
      dependencies,
      payloadKeys,
      workflowBundle: { codePath: workflowBundlePath() },
    });
    const running = worker.run();
    signal.addEventListener('abort', () => worker.shutdown(), { once: true });
    if (signal.aborted) worker.shutdown();
    onReady();
    await running;
  } finally {
    ended.abort();
    await watching;
    await close();
    await connection.close();
    await telemetry.tracer.close();
  }
}

function warnOfSkippedProxies(network: HostNetwork, log: Log): void {
  const { leftOut } = upstreamProxies(network);
  if (!leftOut.length) return;
  const advice = 'If sandboxes need it, set the http:// address of a proxy that containers can reach.';
  log.warn(
    `Sandboxes do not use ${leftOut.join(', ')}: it is on this host's loopback address, or is not an HTTP proxy. ${advice}`,
  );
}

/** Cleaning up must not stop the worker from starting: if the container host is unreachable, the next start cleans up. */
async function prune(dependencies: Dependencies): Promise<void> {
  const { log } = dependencies.telemetry;
  try {
    const folders = await removeAbandonedFolders();
    if (folders > 0) log.info(`Removed ${folders} temporary folders that killed workers left.`);
  } catch (error) {
    log.warn('Could not remove unused temporary folders.', { error });
  }
  try {
    const removed = await pruneUnowned(dependencies);
    if (removed.length) log.info(`Removed ${removed.length} unused sandboxes: ${removed.join(', ')}`);
  } catch (error) {
    log.warn('Could not remove unused sandboxes.', { error });
  }
  try {
    const deleted = await pruneDeletedChats(dependencies);
    if (deleted.length) log.info(`Removed the data of ${deleted.length} deleted chats: ${deleted.join(', ')}`);
  } catch (error) {
    log.warn('Could not remove the data of deleted chats.', { error });
  }
}

/** The workflows that `npm run build` bundled. */
export function workflowBundlePath(): string {
  const path = join(packageRoot(), 'dist', 'workflow-bundle.js');
  if (existsSync(path)) return path;
  throw new Error(`Expected the workflow bundle at ${path}. \`npm run build\` creates it.`);
}
