import { existsSync, realpathSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { WorkflowExecutionDescription } from '@temporalio/client';
import { saveProposal } from '../../db/features/plan.ts';
import { findProject, refuseFolderInUse } from '../../db/project/projects.ts';
import { saveStartRequest } from '../../db/project/start-requests.ts';
import { projectWorkflowType, startOptions } from '../../domain/project/workflow-options.ts';
import { slugOf } from '../../domain/slug.ts';
import { checkProjectFolder } from '../../git/repository/check-project-folder.ts';
import { type ProjectPlaces, refusePrivateFolder } from '../../git/repository/private-folders.ts';
import type { DatabaseAccess } from '../connection/database-access.ts';
import type { TemporalAccess } from '../connection/temporal-access.ts';
import { ClientError } from '../errors.ts';
import { poll } from '../events/poll.ts';
import { expectWorker, whyItFailed } from '../project/expect-worker.ts';
import { createProjectId } from '../project/project-id.ts';
import { createProjectWorkflow } from '../project/project-workflow.ts';
import type { StartRequest } from './check-goal.ts';
import { checkFeatures, checkGoal } from './check-goal.ts';
import { checkSettings } from './check-settings.ts';

/** Milliseconds, many times what a running worker needs to create a project's folder and row. */
const beginTimeout = 60_000;

export interface StartDependencies {
  database: DatabaseAccess;
  temporal: TemporalAccess;
  taskQueue: string;
  /** Whether what goes through Temporal is encrypted; then the id says nothing of the goal. */
  encrypts: boolean;
  /** Undefined if the worker uses another machine's file system, so that a folder can't be checked before anything is started. */
  places(): Promise<ProjectPlaces | undefined>;
}

/**
 * Validates a request, starts the project's workflow and waits until the project exists; returns its id.
 * @throws {ClientError} `InvalidInput` and the errors of `checkProjectFolder`, before anything was started.
 * @throws {ClientError} `ProjectNotStarted` if its workflow could not begin.
 */
export async function startProject(deps: StartDependencies, request: StartRequest): Promise<string> {
  const goal = checkGoal(request.goal);
  const settings = checkSettings(request.settings ?? {});
  const proposal = request.features === undefined ? undefined : checkFeatures(request.features);
  const { folder } = request;
  if (folder !== undefined) await checkPlace(deps, folder, request.adopt ?? false);
  const slug = slugOf(request.name ?? goal);
  const id = createProjectId(deps.encrypts ? undefined : slug);
  const input = {
    goal,
    name: request.name?.trim() || slug,
    ...(folder !== undefined && { folder }),
    ...(request.adopt && { adopt: true }),
    settings,
  };
  await deps.temporal.use(async (client) => {
    await expectWorker(client, deps.taskQueue);
    if (proposal) await deps.database.use((database) => saveProposal(database, id, proposal));
    if (folder !== undefined) await deps.database.use((database) => saveStartRequest(database, id, folder));
    await client.workflow.start(projectWorkflowType, startOptions(id, deps.taskQueue, input));
  });
  await untilBegun(deps, id);
  return id;
}

async function checkPlace(deps: StartDependencies, folder: string, adopt: boolean): Promise<void> {
  if (!isAbsolute(folder))
    throw new ClientError('InvalidInput', `Expected an absolute path as the folder, got "${folder}".`);
  const places = await deps.places();
  if (places) {
    await refusePrivateFolder(folder, places);
    await checkProjectFolder(folder, { adopt });
  }
  const real = existsSync(folder) ? realpathSync(folder) : folder; // the form stored in the project's row
  await deps.database.use((database) => refuseFolderInUse(database, real));
}

/** Waits for the project's row, the first thing its workflow creates. */
async function untilBegun(deps: StartDependencies, id: string): Promise<void> {
  const timeout = AbortSignal.timeout(beginTimeout);
  const workflow = createProjectWorkflow(deps.temporal, deps.taskQueue, id);
  let looks = 0;
  const begun = await poll(
    async () => {
      if (await deps.database.use((database) => findProject(database, id))) return true;
      looks += 1;
      if (looks > 1 && (await workflow.describe())?.status.name !== 'RUNNING') throw await whyNotStarted(deps, id);
      return undefined;
    },
    { signal: timeout },
  );
  if (begun) return;
  throw notBegun(id, beginTimeout / 1000, await workflow.describe());
}

async function whyNotStarted(deps: StartDependencies, id: string): Promise<ClientError> {
  const failure = await deps.temporal.use((client) =>
    client.workflow
      .getHandle(id)
      .result()
      .then(
        () => new Error('Its workflow has ended.'),
        (error: Error) => error,
      ),
  );
  const { message, type } = await whyItFailed(failure);
  return new ClientError('ProjectNotStarted', `The project could not begin. ${message}`, {
    cause: failure,
    failureType: type,
  });
}

/** Why a started project has not begun within so many seconds, though it still may: no worker took it, or something it needs is unavailable. */
export function notBegun(
  id: string,
  seconds: number,
  description: Pick<WorkflowExecutionDescription, 'raw'> | undefined,
): ClientError {
  const [step] = description?.raw.pendingActivities ?? [];
  const { message, applicationFailureInfo } = step?.lastFailure ?? {};
  const started = `The project ${id} was started, but`;
  if (message) {
    return new ClientError(
      'ProjectNotStarted',
      `${started} could not begin within ${seconds} s. ${message} It begins by itself once this is fixed, within an hour.`,
      { failureType: applicationFailureInfo?.type ?? undefined },
    );
  }
  return new ClientError(
    'NoWorker',
    `${started} no worker took it within ${seconds} s. It begins when a worker runs. \`longhaul ps\` shows the stack, \`longhaul up -d\` starts it.`,
  );
}
