import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Agent } from '../../../agents/runtime/definition/define-agent.ts';
import { readConfiguration } from '../../../config/configuration.ts';
import type { AgentLonghaul } from '../../../runtime/create-longhaul.ts';
import type { TestWorkerOptions } from '../../create-test-worker.ts';
import { createTestWorker } from '../../load-test-worker.ts';
import { ScriptedSandboxes } from '../../scripted-sandbox/scripted-sandboxes.ts';
import { type ScriptedAnswers, type ScriptOrAnswers, toScript } from '../scripted-answers.ts';
import { createScriptedProvider, scriptedModelName } from './scripted-provider.ts';

export interface TestStackOptions extends Pick<TestWorkerOptions, 'workflowBundle'> {
  agents: readonly Agent[];
  /** What the model answers, in the order in which it is asked, whoever asks. */
  model?: ScriptOrAnswers;
  /** Where servers are named: those of `DATABASE_URL` and `TEMPORAL_ADDRESS` are used if both are set. The process's own if absent. */
  environment?: Record<string, string | undefined>;
}

/** Longhaul for tests: a real Temporal, Postgres and worker, and the agents' own host; only the model is a script. */
export interface TestStack {
  /** Starts runs and waits for them, as a program does. */
  longhaul: AgentLonghaul;
  /** What the model was asked, and the answers that are left. */
  script: ScriptedAnswers;
  /** Names the servers, for other processes. */
  environment: Record<string, string>;
  /**
   * Ends everything and removes its data.
   * @throws {AgentTestError} `ScriptExhausted` if the model was asked more often than it has answers.
   */
  stop(): Promise<void>;
}

/**
 * Starts a stack in a data folder of its own. The first time, it fetches Temporal's dev server, unless `longhaul up` has done so.
 * @throws {SetupError} if a server cannot be had or does not start.
 */
export async function createTestStack(options: TestStackOptions): Promise<TestStack> {
  const { agents, workflowBundle, environment: given = process.env } = options;
  const script = toScript(options.model);
  // Loaded only here, since whoever tests without servers does not need them.
  const { createLonghaul } = await import('../../../runtime/create-longhaul.ts');
  const { installRuntime } = await import('../../../runtime/install-runtime.ts');
  const { startServers } = await import('./start-servers.ts');
  await installRuntime();
  const home = await mkdtemp(join(tmpdir(), 'longhaul-test-stack-'));
  const ending: Array<() => Promise<void>> = [() => rm(home, { recursive: true, force: true })];
  const end = async () => {
    for (const step of ending.splice(0).reverse()) await step();
  };
  try {
    await mkdir(join(home, 'logs'));
    const servers = await startServers(home, given);
    ending.push(() => servers.stop());
    const environment = {
      ...{ PATH: given.PATH ?? '', LONGHAUL_HOME: home, LONGHAUL_MODEL: scriptedModelName },
      ...{ DATABASE_URL: servers.database, TEMPORAL_ADDRESS: servers.temporal },
      ...{ LONGHAUL_TASK_QUEUE: `test-${randomBytes(6).toString('hex')}` },
      ...{ LONGHAUL_MODEL_EMBEDDING: 'none', EMBEDDING_MODEL_PATH: '' },
    };
    const providers = [createScriptedProvider(script)];
    const sandboxes = new ScriptedSandboxes();
    ending.push(() => sandboxes.dispose());
    const worker = await createTestWorker({
      ...{ environment, sandboxes, providers },
      ...(workflowBundle && { workflowBundle }),
    });
    ending.push(() => worker.stop());
    const configuration = readConfiguration(environment, {
      path: join(home, 'longhaul.config.ts'),
      config: { providers },
    });
    const longhaul = await createLonghaul({ agents, environment, configuration });
    ending.push(() => longhaul.close());
    return {
      ...{ longhaul, script, environment },
      async stop() {
        await end();
        script.expectEnough();
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}
