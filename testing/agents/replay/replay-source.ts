import { PermanentError } from '../../../agents/runtime/agent-error.ts';
import type { AskModel } from '../../../agents/runtime/ask-model.ts';
import type { RunRecord } from '../../../domain/agent-run/run-record.ts';

/** What a run does otherwise than when it was recorded. */
export interface ReplayChange {
  /** The id of the recorded run. */
  run: string;
  /** The number of the model call in which, or after which, it was noticed; 0 before the first. */
  turn: number;
  what: string;
}

/** Ends a replay that cannot go on, since nothing was recorded for what the agent does. */
export class ReplayEnd extends PermanentError {}

/** Gives an agent what it got when its run was recorded, and notes what it asks for otherwise. */
export interface ReplaySource {
  ask: AskModel;
  /** What a tool returned; the call's id says for which call. */
  resultOfTool(tool: string, input: unknown, callId: string): unknown;
  note(what: string): void;
  /** Notes what was recorded and is no longer asked for. */
  end(): void;
  readonly changes: ReplayChange[];
}

/** Notes changes of a run by its turns. */
export function createNotes({ runId }: RunRecord): {
  changes: ReplayChange[];
  nextTurn(): number;
  note(what: string): void;
} {
  const changes: ReplayChange[] = [];
  let turn = 0;
  return {
    changes,
    nextTurn() {
      turn += 1;
      return turn;
    },
    note: (what) => void changes.push({ run: runId, turn, what }),
  };
}
