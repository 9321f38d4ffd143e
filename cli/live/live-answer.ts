import type { AnswerEvent } from '../../client/events/answer-event.ts';

/** The answer that a model is currently giving. */
export interface LiveAnswer {
  run: string;
  turn: number;
  /** Above 1 if the model is asked again. */
  attempt: number;
  why?: string;
  /** The current kind of output; `tool` is the name of the tool whose call is being written. */
  kind: 'waiting' | 'text' | 'reasoning' | 'tool-call';
  tool?: string;
  /** The end of that output. */
  text: string;
}

/** How many characters of the end are kept; more than the view shows. */
const tailLength = 2_000;

/** The answer after an event; undefined once it is complete. */
export function reduceLiveAnswer(answer: LiveAnswer | undefined, event: AnswerEvent): LiveAnswer | undefined {
  const { run, turn } = event;
  if (event.type === 'answer-ended') return answer?.run === run ? undefined : answer;
  if (event.type === 'answer-started') {
    const { attempt, why } = event;
    return { run, turn, attempt, ...(why && { why }), kind: 'waiting', text: '' };
  }
  if (answer?.run !== run || answer.turn !== turn) return answer;
  const { delta } = event;
  const [piece, tool] = delta.type === 'tool-call' ? [delta.arguments, delta.name] : [delta.text, undefined];
  const goesOn = answer.kind === delta.type && answer.tool === tool;
  const { tool: _, ...rest } = answer;
  const text = ((goesOn ? answer.text : '') + piece).slice(-tailLength);
  return { ...rest, kind: delta.type, ...(tool !== undefined && { tool }), text };
}
