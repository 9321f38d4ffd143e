import { getExternalWorkflowHandle, patched } from '@temporalio/workflow';
import type { FailureType } from '../../domain/failure-types.ts';
import type { PauseRequest } from '../../domain/project/messages.ts';
import type { RunOwner } from '../../domain/run/run-owner.ts';
import { explain, failureType, shorten } from '../failures.ts';
import { pauseSignal } from '../project/messages.ts';
import type { PauseGate } from './pause-gate.ts';

/** An unavailable model, container host or database, or a full disk: time or a person fixes that, possibly after hours. */
const away = new Set<string | undefined>([
  'ModelRateLimited',
  'ModelOverloaded',
  'ModelServerError',
  'ModelUnreachable',
  'ModelTimeout',
  'ModelAuthentication',
  'ModelQuotaSpent',
  'ModelNotFound',
  'SandboxUnavailable',
  'RepositoryBusy',
  'DiskFull',
  'DatabaseUnavailable',
] satisfies FailureType[]);

/** Whether a failure says that something is unavailable that work needs. */
export function isAway(error: unknown): boolean {
  return away.has(failureType(error));
}

/** Who works, and for whom. */
export interface Actor {
  owner: RunOwner;
  /** As a sentence begins with it. */
  who: string;
}

/** Does a step again after the resume of a project that had to wait for what the step needs. */
export function outlast<Result>(
  actor: Actor,
  gate: Pick<PauseGate, 'step' | 'hold'>,
  work: () => Promise<Result>,
): Promise<Result> {
  return gate.step(work).catch(async (error: unknown) => {
    await waitUntilBack(actor, gate, error);
    return outlast(actor, gate, work);
  });
}

/**
 * Has the project wait where something is away that the work needs, so that nothing is lost that was done and paid for. Throws any other
 * failure, and those of a chat, whose person is told.
 */
export async function waitUntilBack(
  { owner, who }: Actor,
  gate: Pick<PauseGate, 'hold'>,
  error: unknown,
): Promise<void> {
  // In older histories the session ended, and its turns with it.
  if (owner.kind !== 'project' || !away.has(failureType(error)) || !patched('outlasts-what-is-away')) throw error;
  const reason = shorten(`${who} could not go on: ${explain(error)} \`resume\` tries again where it was.`);
  await holdProject(owner.id, gate, { reason, waiting: true });
}

/** Pauses the work that finds that it cannot go on, and with it its project, which has both go on again. */
export async function holdProject(
  projectId: string,
  gate: Pick<PauseGate, 'hold'>,
  request: PauseRequest,
): Promise<void> {
  gate.hold();
  await getExternalWorkflowHandle(projectId).signal(pauseSignal, request);
}
