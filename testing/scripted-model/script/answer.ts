import { createHash } from 'node:crypto';
import type { RequestAddress } from '../request-address.ts';
import type { ScriptTurn } from './script.ts';

/** The model's output of one turn, before it is encoded in a protocol. */
export interface Answer {
  /** The same for the same run, turn and content. */
  id: string;
  text: string | null;
  reasoning: string | null;
  /** `reasoning` is the model's thinking before that call. */
  calls: Array<{ id: string; tool: string; arguments: string; reasoning?: string | undefined }>;
  /** How the answer ends; absent if it is complete. `filtered`: by a filter behind the model. */
  finish?: 'length' | 'refusal' | 'filtered';
}

/** The id of a thought in an answer: number 0 precedes the text, the others precede calls. */
export function thoughtId({ id }: Pick<Answer, 'id'>, number: number): string {
  return `thought_${number}_${id}`;
}

/** The id of the thought that led to a call, taken from the call's id. */
export function thoughtOf(callId: string): string | undefined {
  return /thought_\d+_[0-9a-f]+/.exec(callId)?.[0];
}

/** The answer of a script's turn to a request with this address. */
export function composeAnswer(turn: ScriptTurn, address: RequestAddress): Answer {
  const id = createHash('sha256')
    .update(JSON.stringify([address, turn]))
    .digest('hex')
    .slice(0, 24);
  let thought = turn.reasoning === undefined ? '' : `${thoughtId({ id }, 0)}_`;
  return {
    id,
    text: turn.text ?? null,
    reasoning: turn.reasoning ?? null,
    calls: turn.calls.map((call, index) => {
      if (call.reasoning !== undefined) thought = `${thoughtId({ id }, index + 1)}_`;
      return {
        id: `call_${thought || `${id}_`}${index}`,
        tool: call.tool,
        arguments: JSON.stringify(call.arguments),
        reasoning: call.reasoning,
      };
    }),
  };
}
