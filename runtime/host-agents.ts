import { Worker } from '@temporalio/worker';
import { createHostActivities } from '../activities/agent-host/create-host-activities.ts';
import { createAnswerFeed } from '../activities/model/answer-feed.ts';
import { observeModels } from '../activities/telemetry/observe-models.ts';
import { traceActivity } from '../activities/telemetry/trace-activity.ts';
import { loadPrompts } from '../agents/load-prompts.ts';
import { withCalled } from '../agents/runtime/definition/agent-registry.ts';
import { declareAgent } from '../agents/runtime/definition/declare-agent.ts';
import type { Agent } from '../agents/runtime/definition/define-agent.ts';
import { expectAddress, findAddresses } from '../client/connection/addresses.ts';
import { type Configuration, readConfiguration } from '../config/configuration.ts';
import { markLeft, markSeen, hostAgents as storeHosted } from '../db/agent-runs/hosted-agents.ts';
import { createEventBus } from '../db/bus/create-event-bus.ts';
import { connectDatabase } from '../db/connection/database.ts';
import { callSettingsOf, valuesOf } from '../domain/model/call-settings-of-role.ts';
import { modelOf } from '../domain/model/model-of-role.ts';
import { holdSecrets, secretsOf } from '../domain/secrets/scrub.ts';
import type { MetricsSettings } from '../domain/telemetry/settings.ts';
import { noTelemetry } from '../domain/telemetry/telemetry.ts';
import { createModels } from '../models/create-models.ts';
import { openTracer } from '../telemetry/open-tracer.ts';
import { metricsOf } from '../temporal/metrics-of.ts';
import { installRuntime } from './install-runtime.ts';
import { openConnection } from './open-connection.ts';

/** A process that takes the runs of its agents. */
export interface AgentHost {
  /** Resolves when it has stopped; rejects if it could not go on. */
  readonly ended: Promise<void>;
  /** By key, the version of each agent. */
  readonly versions: ReadonlyMap<string, string>;
  /** Gives running work some seconds to finish; another process takes up the rest. */
  stop(): Promise<void>;
}

/** Milliseconds between two signs that a host is there. */
const seenPause = 10_000;
/** Milliseconds by which a cancellation may reach an agent late; each running agent sends a heartbeat that often. */
const heartbeatPause = 2_000;

/** How a process takes runs. */
export interface Hosting {
  metrics: MetricsSettings;
  /** Runs of each agent at once. */
  concurrency: number;
}

/**
 * Takes runs of the given agents in this process; resolves once it does.
 * @throws {ClientError} `StackNotRunning`; {AgentError} `InvalidDefinition`; {ConfigurationError} if metrics can't be served.
 */
export async function hostAgents(
  agents: readonly Agent[],
  {
    configuration: given,
    environment,
    metrics,
    concurrency,
  }: { configuration: Configuration; environment: Record<string, string | undefined> } & Hosting,
): Promise<AgentHost> {
  const addresses = findAddresses(given);
  const url = expectAddress(addresses, 'database', given.home);
  holdSecrets(secretsOf({ ...environment, DATABASE_URL: url }));
  const { temporal, model } = withStackModel(given, addresses.model, environment);
  const hosted = withCalled(agents).map((agent) => {
    const { version, declaration } = declareAgent(agent);
    const queue = `${temporal.taskQueue}-agent-${agent.key}-${version}`;
    return { agent, row: { key: agent.key, version, kind: agent.kind, queue, declaration } };
  });
  await installRuntime(metrics);
  const server = await openConnection({ configuration: given, environment, addresses });
  const { database, close } = connectDatabase(url);
  const onTrouble = (trouble: string) => console.warn(`Live output is unavailable: ${trouble}`); // text arrives when it is written in full
  const bus = createEventBus({ settings: given.events, databaseUrl: url, onTrouble });
  const tracer = await openTracer(given.tracing, { warn: (message) => console.warn(message) });
  const telemetry = { ...noTelemetry, tracer, metrics: metricsOf(metrics) };
  const dependencies = {
    database,
    models: observeModels(createModels(model), telemetry),
    modelOf: (...[role, project]: Parameters<typeof modelOf> extends [unknown, ...infer Rest] ? Rest : never) =>
      modelOf(model, role, project).value,
    callSettingsOf: (role: Parameters<typeof callSettingsOf>[1]) => valuesOf(callSettingsOf(model, role)),
    answers: createAnswerFeed(bus, () => {}),
    permissions: given.agents.permissions,
    prompts: loadPrompts(given.agents.promptsFolder),
    telemetry,
  };
  const workers = await Promise.all(
    hosted.map(({ agent, row }) =>
      Worker.create({
        ...server,
        taskQueue: row.queue,
        activities: createHostActivities({ ...dependencies, agent }),
        interceptors: { activity: [(context) => traceActivity(context, telemetry)] },
        maxConcurrentActivityTaskExecutions: concurrency,
        maxHeartbeatThrottleInterval: heartbeatPause,
        defaultHeartbeatThrottleInterval: heartbeatPause,
        shutdownGraceTime: '2 seconds',
        shutdownForceTime: '8 seconds',
      }),
    ),
  );
  await storeHosted(
    database,
    hosted.map(({ row }) => row),
  );
  const signs = setInterval(() => {
    for (const { row } of hosted) markSeen(database, row).catch(() => {}); // the next sign says the same
  }, seenPause);
  const ended = Promise.all(workers.map((worker) => worker.run()))
    .then(() => {})
    .finally(async () => {
      clearInterval(signs);
      await markLeft(
        database,
        hosted.map(({ row }) => row),
      ).catch(() => {}); // without it, the host is taken for gone half a minute later
      await bus.close();
      await close();
      await server.connection.close();
      await tracer.close();
    });
  ended.catch(() => {}); // told to those who wait for it
  return {
    ended,
    versions: new Map(hosted.map(({ row }) => [row.key, row.version])),
    async stop() {
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
      await ended;
    },
  };
}

/** A stack without a provider runs on the scripted model, and so do the agents beside it. */
function withStackModel(
  configuration: Configuration,
  scripted: string | undefined,
  environment: Record<string, string | undefined>,
): Configuration {
  if (scripted === undefined || !configuration.model.scripted) return configuration;
  const settings = { OPENAI_BASE_URL: scripted, OPENAI_API_KEY: 'scripted-model', LONGHAUL_MODEL: 'scripted' };
  return { ...configuration, model: readConfiguration({ ...environment, ...settings }).model };
}
