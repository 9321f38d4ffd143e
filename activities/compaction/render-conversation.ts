import type { Message } from '../../domain/run/message.ts';

/** Limits of characters per message, from the largest to the smallest; the first at which all messages fit is used. */
const limits = [20_000, 8_000, 3_000, 1_200, 500, 200];

/** Renders a conversation as text for a model, at most `max` characters; long messages lose their middle, all at the same limit. */
export function renderConversation(messages: Message[], max: number): string {
  for (const limit of limits) {
    const text = messages.map((message) => render(message, limit)).join('\n\n');
    if (text.length <= max) return text;
  }
  return clip(messages.map((message) => render(message, limits.at(-1) ?? 0)).join('\n\n'), max);
}

/** Omits the middle of a text that is too long; the end, being later, keeps twice as much as the head. */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = text.slice(0, Math.floor(max / 3)).toWellFormed();
  const tail = text.slice(-Math.floor((2 * max) / 3)).toWellFormed();
  return `${head}\n[... ${text.length - head.length - tail.length} characters left out ...]\n${tail}`;
}

function render({ number, turn, role, content }: Message, limit: number): string {
  const who = { assistant: 'the agent', tool: 'tool result', user: 'to the agent', system: 'instructions' }[role];
  const calls = (content.toolCalls ?? []).map((call) => `calls ${call.name} ${clip(call.arguments, limit)}`);
  return [
    `[message ${number}, turn ${turn}: ${who}]`,
    ...(content.text ? [clip(content.text, limit)] : []),
    ...calls,
  ].join('\n');
}
