import '../servers/quiet-temporal.ts';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { connectLonghaul, type Longhaul } from '../../../client/index.ts';
import { packageRoot } from '../../../config/package-root.ts';
import { stackId } from '../../../config/stack-id.ts';
import { createSandboxes } from '../../../sandbox/docker/create-sandboxes.ts';
import { connectDocker } from '../../../sandbox/docker/host/connect-docker.ts';
import { imageTag } from '../../../sandbox/image/image-tag.ts';
import type { Sandboxes, SandboxListing } from '../../../sandbox/sandbox.ts';
import {
  type CommandRule,
  createTestWorker,
  type ScriptedModel,
  type ScriptedSandboxes,
  type ScriptInput,
  startScriptedModel,
} from '../../../testing/index.ts';
import { createTestDatabase } from '../servers/test-database.ts';
import { workflowBundleOfRun } from '../work/workflow-bundle-of-run.ts';
import { coverageSinks } from '../work/workflow-coverage.ts';
import { removeSandboxes } from './remove-sandboxes.ts';
import { testEnvironment } from './test-environment.ts';
import { textFileSandboxes } from './text-file-sandboxes.ts';

/** Longhaul for one test file, on the run's Postgres and Temporal, with a worker of its own; only the model's words are scripted. */
export interface ServiceStack {
  home: string;
  environment: Record<string, string>;
  addresses: { database: string; temporal: string };
  longhaul: Longhaul;
  model: ScriptedModel;
  /** What the worker uses unless it was started with real containers. */
  sandboxes: ScriptedSandboxes;
  /** Those of them that belong to a project. */
  sandboxesOf(projectId: string): Promise<SandboxListing[]>;
  /** Ends the worker and starts another: with SIGKILL where it is a process, else as for a deployment. */
  restartWorker(): Promise<void>;
  stop(): Promise<void>;
}

export interface ServiceStackOptions {
  script: ScriptInput | string;
  /** Real containers instead of the sandboxes of text-file-sandboxes.ts. */
  containers?: boolean;
  /** What the scripted sandboxes answer in addition. */
  commands?: CommandRule[];
  /** `process` can be killed, and uses real containers; in this process, which is the default, its code counts for coverage. */
  worker?: 'process';
  /** Embed memories, with the local model; without, they are found by their words alone, which takes less of the processor. */
  embeddings?: boolean;
  /** The content of its longhaul.config.ts. */
  settings?: string;
  /** Variables in addition to those that point OpenAI's chat completions at the scripted model. */
  environment?: (model: ScriptedModel) => Record<string, string> | Promise<Record<string, string>>;
}

export async function startServiceStack(options: ServiceStackOptions): Promise<ServiceStack> {
  const home = await mkdtemp(join(tmpdir(), 'longhaul-service-'));
  const model = await startScriptedModel({ script: options.script });
  const database = await createTestDatabase();
  const settingsFile = join(home, 'longhaul.config.ts');
  if (options.settings !== undefined) await writeFile(settingsFile, options.settings);
  const environment: Record<string, string> = {
    ...testEnvironment(home),
    ...(!options.embeddings && { EMBEDDING_MODEL_PATH: '', LONGHAUL_MODEL_EMBEDDING: 'none' }),
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: process.env.LONGHAUL_TEST_TEMPORAL ?? '',
    LONGHAUL_TASK_QUEUE: `test-${randomBytes(6).toString('hex')}`,
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: 'scripted-model',
    LONGHAUL_MODEL: 'scripted',
    ...(options.settings !== undefined && { LONGHAUL_CONFIG: settingsFile }),
    ...(await options.environment?.(model)),
  };
  const gatewayImage = process.env.SANDBOX_IMAGE || (await imageTag(packageRoot()));
  const scripted = textFileSandboxes(options.commands);
  const usesContainers = options.containers || options.worker === 'process';
  const sandboxes = usesContainers
    ? createSandboxes({ docker: connectDocker(process.env.DOCKER_HOST), stack: stackId(home), gatewayImage })
    : scripted;
  const start =
    options.worker === 'process' ? () => startProcess(environment) : () => startHere(environment, sandboxes);
  let worker = await start();
  const longhaul = await connectLonghaul({ environment });
  return {
    home,
    environment,
    addresses: { database: database.url, temporal: environment.TEMPORAL_ADDRESS ?? '' },
    longhaul,
    model,
    sandboxes: scripted,
    sandboxesOf: async (projectId) => (await scripted.list()).filter(({ owner }) => owner.project === projectId),
    async restartWorker() {
      await worker.end();
      worker = await start();
    },
    async stop() {
      await longhaul.close();
      await worker.end();
      if (usesContainers) await removeSandboxes(sandboxes);
      await model.close();
      await database.stop();
      await scripted.dispose();
      await rm(home, { recursive: true, force: true });
    },
  };
}

interface RunningWorker {
  end(): Promise<void>;
}

async function startHere(environment: Record<string, string>, sandboxes: Sandboxes): Promise<RunningWorker> {
  const worker = await createTestWorker({
    environment,
    sandboxes,
    workflowBundle: await workflowBundleOfRun(),
    ...coverageSinks,
  });
  return { end: () => worker.stop() };
}

async function startProcess(environment: Record<string, string>): Promise<RunningWorker> {
  const child = spawn(process.execPath, [join(packageRoot(), 'dist', 'workers', 'main.js')], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await untilReady(child);
  return {
    async end() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      if (child.exitCode !== null || !child.kill('SIGKILL')) return;
      await ended;
    },
  };
}

function untilReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The worker ended with ${code} before it was ready.`)));
    if (!child.stdout) throw new Error('Expected a pipe.');
    createInterface(child.stdout).on('line', (line) => {
      if (line.includes('"ready":true')) resolve();
    });
  });
}
