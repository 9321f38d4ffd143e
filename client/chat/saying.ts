import type { ChatEventData } from '../../domain/run/event.ts';
import type { AnswerEvent } from '../events/answer-reader.ts';
import type { ChatStreamEvent } from './chat-handle.ts';

type Of<Type extends ChatEventData['type']> = Extract<ChatEventData, { type: Type }>;

/** Merges a chat's stored events with the answer as it streams, so that no text is reported twice. */
export interface Saying {
  stored(event: ChatEventData): ChatStreamEvent[];
  /** The model completed a turn; reports the part of its text that was not streamed. */
  turnCompleted(event: Of<'assistant.message'>, text: string): ChatStreamEvent[];
  said(event: AnswerEvent): ChatStreamEvent[];
}

interface Answering {
  message: string;
  run: string;
  turn: number;
  /** The text streamed in this turn. */
  text: string;
  /** The text of the turns directly before this one, if the answer was cut off there and continues in this one. */
  pieces: string;
  /** The text of the latest earlier turn that had any. */
  answer: string;
  /** Whether the model was already asked in this turn. */
  asked: boolean;
}

export function createSaying(): Saying {
  let current: Answering | undefined;
  /** The previews of the latest turn's tool calls. */
  let calls: Array<{ preview: string }> = [];

  /** The last text said is the answer. */
  function ended({ exchange: message, status, reason = '' }: Of<'answer.ended'>): ChatStreamEvent[] {
    if (current?.message !== message) return []; // it began before watching did
    const { answer: text } = current;
    current = undefined;
    if (status === 'ANSWERED') return [{ type: 'answer', message, text }];
    if (status === 'LIMITED') return [{ type: 'answer', message, text, limit: reason }];
    return [{ type: 'failure', message, stopped: status === 'STOPPED', reason }];
  }

  return {
    stored(event) {
      if (event.type === 'message.received') {
        const { exchange: message, number, text, branch } = event;
        return [{ type: 'message.received', message, number, text, ...(branch !== undefined && { branch }) }];
      }
      if (event.type === 'answer.started') {
        const { exchange: message, run, turn, model, recalled, recallFailure, changedAgent } = event;
        current = { message, run, turn, text: '', pieces: '', answer: '', asked: false };
        const notes = { ...(recallFailure && { recallFailure }), ...(changedAgent && { changedAgent }) };
        return [{ type: 'answer.started', message, model, recalled, ...notes }];
      }
      if (event.type === 'tool.result' && event.run === current?.run) {
        const { turn, position, tool, failed, pictures } = event;
        const about = calls[position]?.preview;
        const preview = about ? `${about} → ${event.preview}` : event.preview;
        const { message } = current;
        const result = { tool, failed, preview, ...(pictures && { pictures }) };
        return [{ type: 'tool-ended', message, call: `${turn}.${position}`, ...result }];
      }
      if (event.type === 'network.refused' && current)
        return [{ type: 'network.refused', message: current.message, refusals: event.refusals }];
      return event.type === 'answer.ended' ? ended(event) : [];
    },

    turnCompleted(event, text) {
      if (!current || event.run !== current.run || event.turn < current.turn) return [];
      const { message } = current;
      const events = restOf(current, text);
      const said = current.pieces + text;
      calls = event.tools;
      current = {
        ...current,
        turn: event.turn + 1,
        text: '',
        pieces: event.tools.length ? '' : said, // a turn without calls is followed by another only if it was cut off
        answer: said.trim() ? said : current.answer,
        asked: false,
      };
      for (const [position, { tool, preview }] of event.tools.entries()) {
        events.push({ type: 'tool-began', message, call: `${event.turn}.${position}`, tool, preview });
      }
      return events;
    },

    said(event) {
      if (event.type === 'tool.output') return current ? outputOf(current, event) : [];
      if (!current || event.run !== current.run || event.turn !== current.turn) return []; // covered by the stored events
      const { message } = current;
      if (event.type === 'answer.ended')
        return event.failure === undefined ? [] : [{ type: 'answer-delayed', message, why: event.failure }];
      if (event.type === 'answer.asked') {
        const again = current.asked;
        current = { ...current, text: '', asked: true };
        return again || event.why ? restart(current, event.why) : [];
      }
      if (event.delta.type === 'reasoning') return [{ type: 'thinking', message, text: event.delta.text }];
      if (event.delta.type !== 'text') return [];
      current = { ...current, text: current.text + event.delta.text };
      return [{ type: 'delta', message, text: event.delta.text }];
    },
  };
}

function outputOf(
  { message, run }: Answering,
  { call, line }: Extract<AnswerEvent, { type: 'tool.output' }>,
): ChatStreamEvent[] {
  return call.startsWith(`${run}.`) ? [{ type: 'tool.output', message, call: call.slice(run.length + 1), line }] : [];
}

function restOf(current: Answering, whole: string): ChatStreamEvent[] {
  const { message, text: heard } = current;
  if (heard === whole) return [];
  if (whole.startsWith(heard)) return [{ type: 'delta', message, text: whole.slice(heard.length) }];
  return restart(current, undefined, whole);
}

/** Pieces said in earlier turns still count, so they are said again. */
function restart({ message, pieces }: Answering, why: string | undefined, text = ''): ChatStreamEvent[] {
  const still = pieces + text;
  const restarted = { type: 'answer-restarted' as const, message, why };
  return still ? [restarted, { type: 'delta', message, text: still }] : [restarted];
}
