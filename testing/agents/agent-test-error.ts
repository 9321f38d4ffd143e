import { LonghaulError } from '../../domain/longhaul-error.ts';

/**
 * `ScriptExhausted`: the model was asked more often than the script has answers. `ScriptLeft`: less often. `ScriptUnusable`: an answer is none that a
 * model gives. `ExpectationFailed`: what a test expects of
 * a run is not so. `CrashNotReached`: the run ended before the point at which it was to crash. `RecordUnusable`: a recorded run cannot be played.
 */
export type AgentTestErrorCode =
  | 'ScriptExhausted'
  | 'ScriptLeft'
  | 'ScriptUnusable'
  | 'ExpectationFailed'
  | 'CrashNotReached'
  | 'RecordUnusable';

/** Thrown by the test kit for users' own agents. */
export class AgentTestError extends LonghaulError<AgentTestErrorCode> {
  constructor(code: AgentTestErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, { code, kind: 'input', ...options });
  }
}
