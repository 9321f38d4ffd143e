import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { AnswerSignal } from '../../../domain/permissions/request.ts';
import type {
  AbandonRequest,
  BudgetRequest,
  PauseRequest,
  ProjectView,
  RevertRequest,
  RevertResult,
  SessionRequest,
  SessionStarted,
  Steered,
  SteerRequest,
} from '../../../domain/project/messages.ts';
import type { Budgets } from '../../../domain/project/settings.ts';

/** Also forwarded to sessions and sub-agents. */
export const pauseSignal = defineSignal<[PauseRequest?]>('pause');
export const resumeSignal = defineSignal('resume');
export const abandonSignal = defineSignal<[AbandonRequest?]>('abandon');
/** Answers what waits in the inbox. */
export const answerRequestSignal = defineSignal<[AnswerSignal?]>('answerRequest');
export const revertUpdate = defineUpdate<RevertResult, [RevertRequest]>('revertToCheckpoint');
export const setBudgetUpdate = defineUpdate<Budgets, [BudgetRequest]>('setBudget');
export const steerUpdate = defineUpdate<Steered, [SteerRequest]>('steer');
export const runSessionUpdate = defineUpdate<SessionStarted, [SessionRequest?]>('runSession');
export const statusQuery = defineQuery<ProjectView>('status');
