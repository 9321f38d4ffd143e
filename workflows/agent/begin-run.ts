import { turnLimit } from '../../agents/run-limits.ts';
import type { RunLimits, RunRequest } from '../../domain/run/agent-run.ts';
import { database } from '../activities.ts';
import type { PauseGate } from './pause-gate.ts';

/** Begins a run: writes its first messages and finds its limits. */
export async function beginRun<Request extends RunRequest>(
  request: Request,
  gate: PauseGate,
): Promise<Request & RunLimits> {
  const limits = await gate.step(() => database.startRun(request));
  return { ...withLimits(request), ...limits };
}

/** Adds the limits of a run that continues as new; one that began before `startRun` returned limits has those of its agent's definition. */
export function withLimits<Request extends RunRequest>(request: Request): Request & RunLimits {
  return { ...request, maxTurns: request.maxTurns ?? turnLimit(request.role, {}, {}).value };
}
