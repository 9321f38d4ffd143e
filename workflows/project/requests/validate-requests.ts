import { type AnswerSignal, isAnswer } from '../../../domain/permissions/request.ts';
import type { BudgetRequest, RevertRequest, SessionRequest, SteerRequest } from '../../../domain/project/messages.ts';
import { failure } from '../../failures.ts';

/** A signal cannot be refused. */
export function isAnswerSignal(signal: AnswerSignal | undefined): signal is AnswerSignal {
  const { id, answer, reason = '' } = signal ?? {};
  return typeof id === 'string' && isAnswer(answer) && typeof reason === 'string';
}

export function validateRevert(request: RevertRequest): void {
  if (typeof request?.checkpoint === 'string' && request.checkpoint.trim()) return;
  refuse('{ "checkpoint": "<id or commit>" }', request, ' `longhaul checkpoints` lists them.');
}

export function validateBudget(request: BudgetRequest): void {
  const { scope = 'project', limits } = request ?? {};
  const names = Object.keys(limits ?? {});
  const known = names.every((name) => ['usd', 'tokens', 'turns', 'minutes'].includes(name));
  const amounts = Object.values(limits ?? {}).every((limit) => limit === null || (Number.isFinite(limit) && limit > 0));
  if (['project', 'session', 'run'].includes(scope) && names.length > 0 && known && amounts) return;
  refuse(
    '{ "scope": "project", "limits": { "usd": 20 } } with usd, tokens, turns or minutes above 0 (null for no limit) and the scope project, session or run',
    request,
  );
}

export function validateSteer(request: SteerRequest): void {
  const { message, run = '', id = '' } = request ?? {};
  if (typeof message === 'string' && typeof run === 'string' && typeof id === 'string') return;
  refuse('{ "message": "<text>" }, with "run": "<run>" for one of several', request);
}

export function validateSession(request?: SessionRequest): void {
  const { feature, verifyOnly = false } = request ?? {};
  if (typeof feature === 'string' && typeof verifyOnly === 'boolean') return;
  if (feature === undefined && verifyOnly === false) return;
  refuse('{ "feature": "<name>" }, with "verifyOnly": true to have no agent work on it, or nothing', request);
}

function refuse(expected: string, request: unknown, advice = ''): never {
  throw failure('InvalidInput', `Expected ${expected}, got ${JSON.stringify(request)?.slice(0, 200)}.${advice}`);
}
