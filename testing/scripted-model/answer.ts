import { createHash } from 'node:crypto';
import type { RequestAddress } from './request-address.ts';
import type { ScriptTurn } from './script.ts';

/** What the model says in one turn, before it is put into the protocol's form. */
export interface Answer {
  /** The same for the same run, turn and content. */
  id: string;
  text: string | null;
  reasoning: string | null;
  /** `reasoning` is what the model thinks before that call. */
  calls: Array<{ id: string; tool: string; arguments: string; reasoning?: string | undefined }>;
  /** How it ends; by itself where absent. `filtered`: by a filter behind the model. */
  finish?: 'length' | 'refusal' | 'filtered';
}

/** What a thought of an answer is known by: the 0th is that before its text, others are those before its calls. */
export function thoughtId({ id }: Pick<Answer, 'id'>, number: number): string {
  return `thought_${number}_${id}`;
}

/** The thought that a call came of, by the id of the call. */
export function thoughtOf(callId: string): string | undefined {
  return /thought_\d+_[0-9a-f]+/.exec(callId)?.[0];
}

/** The answer that a turn of the script gives to a request with this address. */
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
