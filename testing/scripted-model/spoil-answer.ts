import type { Answer } from './answer.ts';
import type { ChatRequestMessage } from './chat-request.ts';
import type { ContentMisbehaviour } from './misbehaviour.ts';

const spoiledId = 'call_spoiled_';
const talk = 'I would now go on with the work as described.';

/** The answer as a model gives it that went wrong; `isSpoiledAnswer` knows it when the conversation comes back. */
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
      return { ...answer, calls: spoiled.map((call) => ({ ...call, tool: 'summon_colleague' })) };
  }
}

/** True for an assistant message that `spoilAnswer` made. */
export function isSpoiledAnswer(message: ChatRequestMessage): boolean {
  if (message.tool_calls.length > 0) return message.tool_calls.every((call) => call.id.startsWith(spoiledId));
  return message.content === '' || message.content === talk;
}
