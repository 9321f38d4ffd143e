export const projectStatuses = [
  'INITIALIZING',
  'ACTIVE',
  'PAUSED',
  'WAITING',
  'COMPLETED',
  'ABANDONED',
  'FAILED',
] as const;
export type ProjectStatus = (typeof projectStatuses)[number];

export const featureStatuses = ['NOT_STARTED', 'IN_PROGRESS', 'INTERRUPTED', 'PASSING', 'FAILING', 'BLOCKED'] as const;
export type FeatureStatus = (typeof featureStatuses)[number];

export const categories = [
  'functional',
  'ui',
  'integration',
  'testing',
  'documentation',
  'performance',
  'security',
] as const;
export type Category = (typeof categories)[number];

export const sessionStatuses = ['RUNNING', 'PASSED', 'FAILED', 'INTERRUPTED'] as const;
export type SessionStatus = (typeof sessionStatuses)[number];

export const verificationPurposes = ['base', 'session', 'regression'] as const;
/**
 * What a verification is for: `base` runs before the work, and passes if a step fails as it should; `session` judges the work; `regression` looks whether
 * an earlier feature still passes.
 */
export type VerificationPurpose = (typeof verificationPurposes)[number];

export const runStatuses = [
  'RUNNING',
  'FINISHED',
  'GAVE_UP',
  'IMPOSSIBLE',
  'CHANGE_REQUESTED',
  'ASKED',
  'OBJECTED',
  'ENDED',
] as const;
/**
 * `IMPOSSIBLE`: its agent says that the task cannot be done as it is described. `CHANGE_REQUESTED`: not without a change that sessions must not make.
 * `ASKED`: not before a person has answered whether it may do something. `OBJECTED`: an agent that judges says that work does not do what it should, or that a change must not be made.
 * `ENDED`: by something other than its agent, such as a limit, a cancellation or a failure.
 */
export type RunStatus = (typeof runStatuses)[number];

export const exchangeStatuses = ['WAITING', 'RUNNING', 'ANSWERED', 'LIMITED', 'STOPPED', 'FAILED'] as const;
/** Of a person's message in a chat; `LIMITED`: a limit or a circle ended the answer before it was complete. */
export type ExchangeStatus = (typeof exchangeStatuses)[number];

/** In one of these, a project does nothing until a person starts it again. */
export const terminalStatuses: readonly ProjectStatus[] = ['COMPLETED', 'ABANDONED', 'FAILED'];

export function isTerminal(status: ProjectStatus): boolean {
  return terminalStatuses.includes(status);
}
