import { isDeepStrictEqual } from 'node:util';
import type { AgentMessage } from '../../../domain/agent-run/message.ts';
import type { RunRecord } from '../../../domain/agent-run/run-record.ts';
import { preview } from '../../../domain/storable-text.ts';
import { firstDifference } from '../../cassette/first-difference.ts';
import { createNotes, ReplayEnd, type ReplaySource } from './replay-source.ts';

/** An answer of the recorded conversation, with what led to it and what its calls brought. */
interface RecordedTurn {
  /** The messages since the answer before. */
  before: AgentMessage[];
  answer: AgentMessage;
  results: string[];
}

/** Plays a declared agent's run again, from its conversation. */
export function replayConversation(record: RunRecord): ReplaySource {
  const { changes, nextTurn, note } = createNotes(record);
  const turns = turnsOf(record.messages ?? []);
  let asked = 0;
  return {
    changes,
    note,
    async ask(messages) {
      const turn = nextTurn();
      asked = turn;
      const recorded = turns[turn - 1];
      if (!recorded) {
        note(`The model is asked once more, with: ${preview(messages.at(-1)?.content ?? '', 200)}`);
        throw new ReplayEnd('The record has no further answer.');
      }
      const since = messages.findLastIndex(({ role }) => role === 'assistant') + 1;
      compare(messages.slice(since), recorded.before);
      const { content: text, toolCalls = [] } = recorded.answer;
      return { result: { text, toolCalls, finish: 'done', model: 'recorded', usage: null } };
    },
    resultOfTool(tool, _input, callId) {
      const position = Number(callId.split('.').at(-1));
      const result = turns[asked - 1]?.results[position];
      if (result !== undefined) return result;
      note(`The tool "${tool}" runs, and its record has no result.`);
      throw new ReplayEnd('The record has no result of this call.');
    },
    end() {
      if (asked < turns.length) note(`The model is asked ${asked} times, and was asked ${turns.length} times.`);
    },
  };

  function compare(now: AgentMessage[], before: AgentMessage[]): void {
    const shown = (messages: AgentMessage[]) => messages.map(({ role, content }) => `${role}: ${content}`);
    const [expected, got] = [shown(before), shown(now)];
    if (!isDeepStrictEqual(expected, got))
      note(`The model is told otherwise. message${firstDifference(expected, got)}`);
  }
}

function turnsOf(messages: AgentMessage[]): RecordedTurn[] {
  const turns: RecordedTurn[] = [];
  let before: AgentMessage[] = [];
  for (const message of messages) {
    if (message.role === 'assistant') {
      turns.push({ before, answer: message, results: [] });
      before = [];
      continue;
    }
    const last = turns.at(-1);
    if (message.role === 'tool') last?.results.push(message.content);
    // What Longhaul itself says between two turns, such as that an answer was cut off, is no part of the agent.
    if (!last || message.role === 'tool') before.push(message);
  }
  return turns;
}
