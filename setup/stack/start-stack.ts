import { join } from 'node:path';
import type { Configuration } from '../../config/configuration.ts';
import { packageRoot } from '../../config/package-root.ts';
import type { StackAsks } from '../../config/stack-record.ts';
import { modelOf } from '../../domain/model/model-of-role.ts';
import { watchOwnDaemon } from '../docker/watch-daemon.ts';
import { plainEnvironment } from '../processes/plain-environment.ts';
import type { SetupResult } from '../run-setup.ts';
import { releaseDocker } from './release-docker.ts';
import type { ServiceDefinition } from './service-definition.ts';
import { createPostgresService } from './services/postgres-service.ts';
import { createScriptedModelService } from './services/scripted-model-service.ts';
import { createTemporalService } from './services/temporal-service.ts';
import { createWorkerService } from './services/worker-service.ts';
import type { StackEvent } from './stack-event.ts';
import { type Stack, supervise } from './supervise.ts';

export interface StartStackOptions {
  configuration: Configuration;
  /** Of the process that was started; the worker gets it whole. */
  environment: Record<string, string | undefined>;
  setup: SetupResult;
  onEvent(event: StackEvent): void;
  /** Aborting stops the stack while it starts; later call `stop`. */
  signal?: AbortSignal;
}

/**
 * Starts Longhaul's stack in this process: what the configuration does not name elsewhere, and the worker. Resolves when all is ready.
 * @throws {StackRunningError} where another process runs this home's stack: `joinStack` then.
 * @throws {ServiceFailedError} with the end of the log of the service that does not stay up.
 */
export async function startStack(options: StartStackOptions): Promise<Stack> {
  const { configuration, environment, setup, onEvent } = options;
  const { home, temporal, database } = configuration;
  const { host } = setup.docker;
  const onProblem = (message: string) => onEvent({ type: 'problem', message });
  let watcher: ReturnType<typeof watchOwnDaemon> | undefined;
  const stack = await supervise({
    home,
    services: defineServices(options),
    elsewhere: {
      ...(temporal.address ? { temporal: temporal.address } : {}),
      ...(temporal.uiUrl ? { ui: temporal.uiUrl } : {}),
      ...(database.url ? { database: database.url } : {}),
    },
    asks: asksOf(configuration),
    onEvent,
    async cleanUp() {
      await watcher?.stop();
      await releaseDocker(home, host, environment);
    },
    ...(options.signal ? { signal: options.signal } : {}),
  });
  watcher = watchOwnDaemon({ home, environment, host, onProblem });
  return stack;
}

function asksOf({ model }: Configuration): StackAsks {
  if (model.scripted) return { ...(model.script && { script: model.script }) };
  const { value } = modelOf(model, 'code');
  return value ? { model: value } : {};
}

function defineServices({ configuration, environment, setup }: StartStackOptions): ServiceDefinition[] {
  const { model, home, temporal } = configuration;
  const plain = plainEnvironment(environment);
  const services: ServiceDefinition[] = [];
  if (setup.postgres) services.push(createPostgresService(setup.postgres, plain));
  if (setup.temporalCli) {
    const { namespace } = temporal;
    services.push(createTemporalService({ cli: setup.temporalCli, home, namespace, environment: plain }));
  }
  if (model.scripted) {
    const script = model.script ?? join(packageRoot(), 'examples', 'spend', 'script');
    services.push(createScriptedModelService(script, plain));
  }
  const worker = createWorkerService({
    configuration,
    environment,
    after: services.map(({ name }) => name),
    dockerHost: setup.docker.host,
    sandboxImage: setup.sandboxImage,
  });
  return [...services, worker];
}
