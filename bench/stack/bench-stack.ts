import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { connectLonghaul, type Longhaul, readConfiguration } from '../../client/index.ts';
import { readAddresses, readPostgresFolder } from '../../config/stack-record.ts';
import { connectDatabase, type DatabaseConnection } from '../../db/connection/database.ts';
import { prepareHome } from '../../setup/prepare-home.ts';
import { detachStack } from '../../setup/stack/detach-stack.ts';
import { stopStack } from '../../setup/stack/stop-stack.ts';
import { type ScriptedModel, startScriptedModel } from '../../testing/index.ts';
import { benchProposal, benchScript, unreadCharacters } from './bench-script.ts';
import { startUnreadingModel } from './unreading-model.ts';

/** A stack of its own with one finished project, to whose session the measured runs are added. */
export interface BenchStack {
  home: string;
  /** `host:port` of its Temporal server. */
  temporal: string;
  client: Client;
  connection: DatabaseConnection;
  longhaul: Longhaul;
  model: ScriptedModel;
  taskQueue: string;
  /** The base URL that the worker sends model requests to. */
  modelUrl: string;
  projectId: string;
  sessionId: string;
  /** Aborted when a person interrupts the measurement. */
  signal: AbortSignal;
  stop(): Promise<void>;
}

type Environment = Record<string, string | undefined>;

/**
 * Starts real servers and a worker in a new data folder; the model is scripted, runs in this process and answers at once. With `unreading` it does
 * not even read the requests of runs that call `log_progress`.
 */
export async function startBenchStack(
  given: Environment,
  signal: AbortSignal,
  { unreading = false } = {},
): Promise<BenchStack> {
  const home = await mkdtemp(join(tmpdir(), 'longhaul-bench-'));
  const model = await startScriptedModel({ script: benchScript() });
  const front = unreading ? await startUnreadingModel(unreadCharacters, model.url) : undefined;
  const modelUrl = front?.url ?? model.url;
  const environment = {
    ...given,
    LONGHAUL_HOME: home,
    OPENAI_BASE_URL: modelUrl,
    OPENAI_API_KEY: 'scripted-model',
    // A model whose window is a million tokens, so that nothing of a long conversation is left out.
    LONGHAUL_MODEL: 'openai/gpt-4.1',
  };
  const closers = [() => removeFolders(home), () => model.close(), async () => front?.close()];
  const stop = async (): Promise<void> => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    const onEvent = (): void => {}; // the log in the data folder says the same, and failures are thrown
    closers.push(async () => void (await stopStack({ home, onEvent, cleanUp: async () => {} })));
    prepareHome(home);
    await detachStack({ home, environment, onEvent, signal });
    const configuration = readConfiguration(environment);
    const addresses = readAddresses(configuration);
    const temporal = expectAddress(addresses.temporal);
    const connection = connectDatabase(expectAddress(addresses.database));
    closers.push(() => connection.close());
    const temporalConnection = await Connection.connect({ address: temporal });
    closers.push(() => temporalConnection.close());
    const longhaul = await connectLonghaul({ environment });
    closers.push(() => longhaul.close());
    const projectId = await finishProject(longhaul, join(home, 'projects', 'bench'));
    return {
      home,
      temporal,
      client: new Client({ connection: temporalConnection }),
      connection,
      longhaul,
      model,
      taskQueue: configuration.temporal.taskQueue,
      modelUrl,
      projectId,
      sessionId: `${projectId}-s1`,
      signal,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function finishProject(longhaul: Longhaul, folder: string): Promise<string> {
  const project = await longhaul.startProject({ goal: 'Be measured.', name: 'bench', folder, features: benchProposal });
  const { status, reason } = await project.waitForEnd({ orRest: true });
  if (status !== 'COMPLETED') throw new Error(`Expected the project to be COMPLETED, it is ${status}: ${reason}`);
  return project.id;
}

async function removeFolders(home: string): Promise<void> {
  const postgres = readPostgresFolder(home);
  await rm(home, { recursive: true, force: true });
  // When run as root, Postgres is in a folder of its own outside the home.
  if (postgres && !postgres.startsWith(home)) await rm(dirname(postgres), { recursive: true, force: true });
}

function expectAddress(address: string | undefined): string {
  if (address === undefined) throw new Error('Expected the addresses of the stack that was just started, found none.');
  return address;
}
