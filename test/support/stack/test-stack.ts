import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectLonghaul, type Longhaul } from '../../../client/index.ts';
import { packageRoot } from '../../../config/package-root.ts';
import { stackId } from '../../../config/stack-id.ts';
import { createSandboxes } from '../../../sandbox/docker/create-sandboxes.ts';
import { connectDocker } from '../../../sandbox/docker/host/connect-docker.ts';
import { type ScriptedModel, type ScriptInput, startScriptedModel } from '../../../testing/index.ts';
import { layOutPostgres } from '../servers/lay-out-postgres.ts';
import { waitFor } from '../wait-for.ts';
import { removeSandboxes } from './remove-sandboxes.ts';
import { readStackRecord, type StackRecord, stackRecordPath } from './stack-record.ts';
import { removeHome, testEnvironment } from './test-environment.ts';

/** A whole stack for one test file: real Postgres, Temporal, worker and sandboxes; only the model's words are scripted. */
export interface TestStack {
  home: string;
  environment: Record<string, string>;
  readonly longhaul: Longhaul;
  model: ScriptedModel;
  record(): Promise<StackRecord>;
  /** Kills a service's process with SIGKILL; the supervisor starts it again. */
  kill(service: ServiceName): Promise<void>;
  /** Waits until every killed service is running again. */
  untilBack(): Promise<void>;
  /**
   * Starts the supervisor again after `stopSupervisor`, and connects `longhaul` anew: another test's stack may have taken the ports meanwhile, so that
   * handles from before it must not be used.
   */
  up(): Promise<void>;
  stopSupervisor(signal: NodeJS.Signals): Promise<void>;
  stop(): Promise<void>;
}

export type ServiceName = 'worker' | 'temporal' | 'postgres';

export async function startTestStack(options: {
  script: ScriptInput | string;
  /** The content of its longhaul.config.ts. */
  settings?: string;
  /** Variables in addition to those that point OpenAI's chat completions at the scripted model. */
  environment?: (model: ScriptedModel) => Record<string, string> | Promise<Record<string, string>>;
}): Promise<TestStack> {
  const home = await mkdtemp(join(tmpdir(), 'longhaul-e2e-'));
  await layOutPostgres(home);
  const model = await startScriptedModel({ script: options.script });
  const settingsFile = join(home, 'longhaul.config.ts');
  if (options.settings !== undefined) await writeFile(settingsFile, options.settings);
  const environment: Record<string, string> = {
    ...testEnvironment(home),
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: 'scripted-model',
    LONGHAUL_MODEL: 'scripted',
    ...(options.settings !== undefined && { LONGHAUL_CONFIG: settingsFile }),
    ...(await options.environment?.(model)),
  };
  let supervisor: ChildProcess;
  let longhaul: Longhaul;
  /** The number of restarts each killed service had had before. */
  const killed = new Map<ServiceName, number>();

  async function up(): Promise<void> {
    const log = createWriteStream(join(home, 'supervisor.log'), { flags: 'a' });
    supervisor = spawn(process.execPath, [join(packageRoot(), 'dist', 'setup', 'stack', 'main.js')], {
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    supervisor.stdout?.pipe(log);
    supervisor.stderr?.pipe(log);
    const { pid } = supervisor;
    await waitFor(`the stack in ${home} to be ready (see ${home}/supervisor.log)`, async () => {
      if (supervisor.exitCode !== null)
        throw new Error(`The stack ended with ${supervisor.exitCode}; see ${home}/supervisor.log.`);
      const record = await readStackRecord(home);
      return record?.status === 'ready' && record.supervisor.pid === pid;
    });
    longhaul = await connectLonghaul({ environment: { LONGHAUL_HOME: home } });
  }

  async function stopSupervisor(signal: NodeJS.Signals): Promise<void> {
    if (supervisor.exitCode !== null || supervisor.signalCode !== null) return;
    const ended = new Promise((resolve) => supervisor.once('exit', resolve));
    supervisor.kill(signal);
    await ended;
  }

  try {
    await up();
  } catch (error) {
    await model.close(); // else jest would wait for it
    throw error;
  }
  return {
    home,
    environment,
    get longhaul() {
      return longhaul;
    },
    model,
    async up() {
      await longhaul.close();
      await up();
    },
    stopSupervisor,
    async record() {
      const record = await readStackRecord(home);
      if (!record) throw new Error(`Expected ${stackRecordPath(home)}.`);
      return record;
    },
    async kill(name) {
      const record = await readStackRecord(home);
      const service = record?.services.find((one) => one.name === name);
      if (!service?.pid) throw new Error(`Expected a running ${name}, found ${JSON.stringify(service)}.`);
      process.kill(service.pid, 'SIGKILL');
      killed.set(name, service.restarts);
    },
    async untilBack() {
      await waitFor(`${[...killed.keys()].join(', ')} to be back`, async () => {
        const services = (await readStackRecord(home))?.services ?? [];
        return [...killed].every(([name, restarts]) =>
          services.some((one) => one.name === name && one.state === 'ready' && one.restarts > restarts),
        );
      });
    },
    async stop() {
      await longhaul.close();
      await stopSupervisor('SIGTERM');
      await model.close();
      const docker = connectDocker(environment.DOCKER_HOST);
      await removeSandboxes(createSandboxes({ docker, stack: stackId(home) }));
      if (process.env.KEEP_TEST_HOMES) return;
      await removeHome(home);
    },
  };
}
