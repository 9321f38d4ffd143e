import { z } from 'zod';
import { checkOptions } from '../agents/runtime/check-options.ts';
import { listAgents, withCalled } from '../agents/runtime/definition/agent-registry.ts';
import { type Agent, isAgent } from '../agents/runtime/definition/define-agent.ts';
import { type AgentOrKey, expectAgent } from '../client/agent-runs/agent-runs.ts';
import { ClientError } from '../client/errors.ts';
import { type ConnectOptions, connectLonghaul, type Longhaul, loadConfiguration } from '../client/longhaul.ts';
import { withEnvFile } from '../config/environment.ts';
import { isMetricsAddress, metricsExpected, readMetricsSettings } from '../config/settings/telemetry-settings.ts';
import { ConfigurationError } from '../domain/configuration-error.ts';
import type { MetricsSettings } from '../domain/telemetry/settings.ts';
import type { AgentHost, Hosting } from './host-agents.ts';

export interface CreateOptions extends ConnectOptions {
  /** The agents of this program; those that `registerAgent` was given if absent. */
  agents?: readonly Agent[];
  /** Where Prometheus reads this program's metrics: a port of the loopback interface, or `host:port`. There are none if absent. */
  metrics?: number | string;
  /** Runs of each agent that this program takes at once, 1 to 1,000 (the default); others wait, and the most urgent is taken first. */
  concurrency?: number;
}

/** Longhaul for a program with agents of its own. */
export interface AgentLonghaul extends Longhaul {
  /**
   * Takes runs of the program's agents until the signal aborts, `close` is called, or the program gets SIGINT or SIGTERM, which end it only once this has
   * resolved. Runs that this program starts of its own agents need no call of it: the first one begins to take runs. `onReady` is called once runs are
   * taken.
   * @throws {ClientError} `InvalidInput` if it has no agents.
   */
  work(options?: { signal?: AbortSignal; onReady?: () => void }): Promise<void>;
}

/** A second one has Node's own effect: it ends the process. */
const stopSignals = ['SIGINT', 'SIGTERM'] as const;

const agentOption = z.custom(isAgent, { error: 'expected an agent from defineAgent' });

const createSchema = z.strictObject({
  agents: z.array(agentOption, { error: 'expected a list of agents' }).optional(),
  // These are checked where they are used.
  ...{ metrics: z.any().optional(), concurrency: z.any().optional(), configuration: z.any().optional() },
  ...{ environment: z.any().optional(), stores: z.any().optional() },
});

/**
 * Connects to the running stack, or to the servers that the settings name.
 * @throws {ClientError} `StackNotRunning`, `DatabaseUnreachable`; {AgentError} `DuplicateName`, `InvalidDefinition`; {ConfigurationError}
 */
export async function createLonghaul(created: CreateOptions = {}): Promise<AgentLonghaul> {
  checkOptions('Longhaul cannot be created', createSchema, created);
  const { agents, metrics, concurrency, ...options } = created;
  withCalled(agents ?? []); // refuses two of the same key
  const hosting = { metrics: readMetrics(metrics), concurrency: readConcurrency(concurrency) };
  const longhaul = await connectLonghaul(options);
  let host: Promise<AgentHost> | undefined;

  function hostAll(): Promise<AgentHost> {
    host ??= startHost(agents ?? listAgents(), options, hosting).catch((error: unknown) => {
      host = undefined; // so that the next call tries again
      throw error;
    });
    return host;
  }

  /** An agent of this program in the version that it hosts, which needs a process that takes its runs; others as they are. */
  async function hosted<Output>(agent: AgentOrKey<Output>): Promise<AgentOrKey<Output>> {
    expectAgent(agent);
    const key = typeof agent === 'string' ? agent : agent.key;
    const own = (agents ?? listAgents()).find((one) => one.key === key);
    if (!own) return agent;
    const version = (await hostAll()).versions.get(key);
    return { ...(own as Agent<Output>), ...(version !== undefined && { version }) };
  }

  const start: Longhaul['start'] = async (agent, input, run) => longhaul.start(await hosted(agent), input, run);
  const run: Longhaul['run'] = async (agent, input, run) => (await start(agent, input, run)).result();
  return {
    ...longhaul,
    start,
    run,
    runs: { ...longhaul.runs, start, run },
    async work({ signal, onReady } = {}) {
      if (!(agents ?? listAgents()).length) {
        throw new ClientError(
          'InvalidInput',
          'Expected at least one agent whose runs this program takes. Give createLonghaul({ agents }), or call registerAgent first.',
        );
      }
      const running = await hostAll();
      onReady?.();
      const stop = () => void running.stop().catch(() => {}); // `ended` says why
      signal?.addEventListener('abort', stop, { once: true });
      for (const name of stopSignals) process.once(name, stop);
      if (signal?.aborted) stop();
      try {
        await running.ended;
      } finally {
        for (const name of stopSignals) process.off(name, stop);
      }
    },
    async close() {
      await (await host?.catch(() => undefined))?.stop();
      await longhaul.close();
    },
  };
}

function readMetrics(address: number | string | undefined): MetricsSettings {
  if (address === undefined) return {};
  if (isMetricsAddress(address)) return readMetricsSettings({}, { address });
  throw new ConfigurationError(`metrics: ${metricsExpected}, got ${JSON.stringify(address)}`);
}

/** An agent mostly waits for models, so one process takes many runs at once. */
function readConcurrency(runs = 1_000): number {
  if (Number.isInteger(runs) && runs >= 1 && runs <= 1_000) return runs;
  throw new ConfigurationError(`concurrency: Expected a whole number from 1 to 1,000, got ${JSON.stringify(runs)}`);
}

async function startHost(agents: readonly Agent[], options: ConnectOptions, hosting: Hosting): Promise<AgentHost> {
  const environment = withEnvFile(options.environment ?? process.env);
  const configuration = options.configuration ?? (await loadConfiguration(environment));
  const { hostAgents } = await import('./host-agents.ts'); // takes long to load
  return hostAgents(agents, { configuration, environment, ...hosting });
}
