import { createHash } from 'node:crypto';
import type { RequestAddress } from './request-address.ts';
import type { ScriptTurn } from './script.ts';

/** What the model says in one turn, before it is put into the protocol's form. */
export interface Answer {
  /** The same for the same run, turn and content. */
  id: string;
  text: string | null;
  reasoning: string | null;
  calls: Array<{ id: string; tool: string; arguments: string }>;
  /** How it ends; by itself where absent. */
  finish?: 'length' | 'refusal';
}

/** In the ids of calls that thoughts stand before. */
export const thoughtMark = 'thought_';

/** The answer that a turn of the script gives to a request with this address. */
export function composeAnswer(turn: ScriptTurn, address: RequestAddress): Answer {
  const id = createHash('sha256')
    .update(JSON.stringify([address, turn]))
    .digest('hex')
    .slice(0, 24);
  return {
    id,
    text: turn.text ?? null,
    reasoning: turn.reasoning ?? null,
    calls: turn.calls.map((call, index) => ({
      id: `call_${turn.reasoning === undefined ? '' : thoughtMark}${id}_${index}`,
      tool: call.tool,
      arguments: JSON.stringify(call.arguments),
    })),
  };
}
