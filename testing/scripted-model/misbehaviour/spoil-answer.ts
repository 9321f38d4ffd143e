import type { Answer } from '../script/answer.ts';
import type { ChatRequestMessage } from '../wires/chat-request.ts';
import type { ContentMisbehaviour } from './misbehaviour.ts';

const spoiledId = 'call_spoiled_';
const talk = 'I would now go on with the work as described.';
const cutTalk = talk.slice(0, 24);
const refusal = 'I will not do that.';

/** Turns an answer into one of a misbehaving model; `isSpoiledAnswer` recognizes it when the conversation comes back. */
export function spoilAnswer(answer: Answer, misbehaviour: ContentMisbehaviour): Answer {
  const calls = answer.calls.length > 0 ? answer.calls : [{ id: `call_${answer.id}_0`, tool: 'none', arguments: '{}' }];
  const spoiled = calls.map((call) => ({ ...call, id: call.id.replace('call_', spoiledId) }));
  switch (misbehaviour.kind) {
    case 'empty-answer':
      return { ...answer, text: null, calls: [] };
    case 'text-instead-of-call':
      return { ...answer, text: talk, calls: [] };
    case 'malformed-arguments':
      return { ...answer, calls: spoiled.map((call) => ({ ...call, arguments: `${call.arguments.slice(0, -1)}, "` })) };
    case 'wrong-arguments':
      return { ...answer, calls: spoiled.map((call) => ({ ...call, arguments: '{"unexpected":["value"]}' })) };
    case 'unknown-tool':
      return { ...answer, calls: spoiled.map((call) => ({ ...call, tool: misbehaviour.name })) };
    case 'odd-ids':
      return { ...answer, calls: spoiled.map((call) => ({ ...call, id: `${call.id}.functions.${call.tool}:0` })) };
    case 'blank-answer':
      return { ...answer, text: '\n\n', calls: [] };
    case 'thought-only':
      return { ...answer, text: null, reasoning: answer.reasoning ?? talk, calls: [], finish: 'length' };
    case 'cut-off-call':
      return { ...answer, calls: spoiled.map(cutOffLast), finish: 'length' };
    case 'filtered':
      return { ...answer, text: cutTalk, calls: [], finish: 'filtered' };
    case 'filtered-call':
      return { ...answer, calls: spoiled.map(cutOffLast), finish: 'filtered' };
    case 'truncated':
      return { ...answer, text: cutTalk, calls: [], finish: 'length' };
    case 'refusal':
      return { ...answer, text: refusal, calls: [], finish: 'refusal' };
    case 'many-calls':
      return { ...answer, calls: Array.from({ length: misbehaviour.count }, (_, index) => numbered(spoiled, index)) };
    case 'duplicate-ids':
      return { ...answer, calls: [...spoiled, ...spoiled] };
  }
}

function cutOffLast(call: Answer['calls'][number], index: number, calls: Answer['calls']): Answer['calls'][number] {
  if (index < calls.length - 1) return call;
  return { ...call, arguments: call.arguments.slice(0, Math.ceil(call.arguments.length / 2)) };
}

function numbered(calls: Answer['calls'], index: number): Answer['calls'][number] {
  const [call = { id: spoiledId, tool: 'none', arguments: '{}' }] = calls;
  const given = JSON.parse(call.arguments) as Record<string, unknown>;
  const text = Object.keys(given).find((name) => typeof given[name] === 'string');
  const changed = text === undefined ? given : { ...given, [text]: `${given[text]}${index}` };
  return { ...call, id: `${call.id}_${index}`, arguments: JSON.stringify(changed) };
}

/** True for an assistant message that `spoilAnswer` produced. */
export function isSpoiledAnswer(message: ChatRequestMessage): boolean {
  if (message.tool_calls.length > 0) return message.tool_calls.some((call) => call.id.startsWith(spoiledId));
  return ['', talk, cutTalk, refusal, '(no answer)'].includes(message.content.trim());
}
