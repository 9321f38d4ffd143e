import './quiet-temporal.ts';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectLonghaul, type Longhaul } from '../../client/index.ts';
import type { Sandboxes } from '../../sandbox/sandbox.ts';
import {
  createTestWorker,
  type ScriptedModel,
  type ScriptInput,
  startScriptedModel,
  type TestWorker,
} from '../../testing/index.ts';
import { createTestDatabase } from './test-database.ts';
import { testEnvironment } from './test-environment.ts';
import { workflowBundleOfRun } from './workflow-bundle-of-run.ts';

/** Longhaul for one test file: a worker in this process, on the run's Postgres and Temporal, with scripted sandboxes. Only the model's words and the commands are scripted. */
export interface ServiceStack {
  home: string;
  environment: Record<string, string>;
  longhaul: Longhaul;
  model: ScriptedModel;
  /** Stops the worker and starts another, as after a deployment. */
  restartWorker(): Promise<void>;
  stop(): Promise<void>;
}

export async function startServiceStack(options: {
  script: ScriptInput | string;
  sandboxes: Sandboxes;
  /** The content of its longhaul.config.ts. */
  settings?: string;
  /** Variables in addition to those that point OpenAI's chat completions at the scripted model. */
  environment?: (model: ScriptedModel) => Record<string, string>;
}): Promise<ServiceStack> {
  const home = await mkdtemp(join(tmpdir(), 'longhaul-service-'));
  const model = await startScriptedModel({ script: options.script });
  const database = await createTestDatabase();
  const settingsFile = join(home, 'longhaul.config.ts');
  if (options.settings !== undefined) await writeFile(settingsFile, options.settings);
  const environment: Record<string, string> = {
    ...testEnvironment(home),
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: process.env.LONGHAUL_TEST_TEMPORAL ?? '',
    LONGHAUL_TASK_QUEUE: `test-${randomBytes(6).toString('hex')}`,
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: 'scripted-model',
    LONGHAUL_MODEL: 'scripted',
    ...(options.settings !== undefined && { LONGHAUL_CONFIG: settingsFile }),
    ...options.environment?.(model),
  };
  const workflowBundle = await workflowBundleOfRun();
  const start = () => createTestWorker({ environment, sandboxes: options.sandboxes, workflowBundle });
  let worker: TestWorker = await start();
  const longhaul = await connectLonghaul({ environment });
  return {
    home,
    environment,
    longhaul,
    model,
    async restartWorker() {
      await worker.stop();
      worker = await start();
    },
    async stop() {
      await longhaul.close();
      await worker.stop();
      await model.close();
      await database.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}
