import { turnLimit } from '../agents/run-limits.ts';
import { database } from './activities.ts';
import type { ProjectRun } from './agent-loop.ts';
import type { PauseGate } from './pause-gate.ts';

/** How long a run may take and when it counts as stuck; fixed when it begins. */
export type RunLimits = Pick<ProjectRun, 'maxTurns' | 'stuck'>;

/** A run that is to begin; limits that it names itself go before those of its project and of the worker's settings. */
export type RunRequest = Omit<ProjectRun, 'maxTurns'> & { maxTurns?: number };

/** Begins a run: its first messages are written, its limits are known. */
export async function beginRun<Request extends RunRequest>(
  request: Request,
  gate: PauseGate,
): Promise<Request & RunLimits> {
  const limits = await gate.step(() => database.startRun(request));
  return { ...withLimits(request), ...limits };
}

/** Of runs that go on after continuing as new; those that began before `startRun` told their limits have them of their definition. */
export function withLimits<Request extends RunRequest>(request: Request): Request & RunLimits {
  return { ...request, maxTurns: request.maxTurns ?? turnLimit(request.role, {}, {}).value };
}
