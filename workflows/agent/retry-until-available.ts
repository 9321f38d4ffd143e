import { getExternalWorkflowHandle } from '@temporalio/workflow';
import type { FailureType } from '../../domain/failure-types.ts';
import type { PauseRequest } from '../../domain/project/messages.ts';
import type { RunOwner } from '../../domain/run/run-owner.ts';
import { explain, failureType, short } from '../failures.ts';
import { pauseSignal } from '../project/requests/messages.ts';
import type { PauseGate } from './pause-gate.ts';

/** An unavailable model, container host or database, or a full disk: time or a person fixes these, possibly after hours. */
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

/** Whether a failure says that something required is unavailable. */
export function isAway(error: unknown): boolean {
  return away.has(failureType(error));
}

/** Whose work it is. */
export interface Actor {
  owner: RunOwner;
  /** The subject of a sentence. */
  who: string;
}

/** Does a step. If something is unavailable, the project waits, and its resume retries the step. */
export async function retryUntilAvailable<Result>(
  actor: Actor,
  gate: Pick<PauseGate, 'step' | 'hold'>,
  work: () => Promise<Result>,
): Promise<Result> {
  for (;;) {
    try {
      return await gate.step(work);
    } catch (error) {
      await waitUntilAvailable(actor, gate, error);
    }
  }
}

/**
 * Makes the project wait if the work needs something unavailable, so that no paid work is lost. Throws every other failure, and every failure of a
 * chat, which tells its person.
 */
export async function waitUntilAvailable(
  { owner, who }: Actor,
  gate: Pick<PauseGate, 'hold'>,
  error: unknown,
): Promise<void> {
  if (owner.kind !== 'project' || !isAway(error)) throw error;
  const reason = short(`${who} could not continue: ${explain(error)} \`resume\` tries again.`);
  await holdProject(owner.id, gate, { reason, waiting: true });
}

/** Pauses the work and its project when something is unavailable, and resumes both. */
export async function holdProject(
  projectId: string,
  gate: Pick<PauseGate, 'hold'>,
  request: PauseRequest,
): Promise<void> {
  gate.hold();
  await getExternalWorkflowHandle(projectId).signal(pauseSignal, request);
}
