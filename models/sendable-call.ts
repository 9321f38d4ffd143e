import { createHash } from 'node:crypto';
import type { RequestedToolCall } from '../db/transcript/message.ts';

/** Characters of a name that OpenAI and Anthropic take. */
const longestName = 64;

/**
 * A call as the next request may have it. A model may call what there is not, by arguments that are none; it is told so, but its own call
 * goes back to the provider with that, and servers refuse names of other characters and arguments that are no JSON object.
 */
export function sendableCall<Call extends Pick<RequestedToolCall, 'name' | 'arguments'>>(call: Call): Call {
  const name = call.name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, longestName) || 'unknown';
  const text = sendable.get(call) ?? toObjectText(call.arguments);
  sendable.set(call, text);
  return { ...call, name, arguments: text };
}

/** By call, since each request has all calls of its conversation, which are the same objects while a worker knows it. */
const sendable = new WeakMap<object, string>();

function toObjectText(text: string): string {
  return parseObject(text) ? text || '{}' : JSON.stringify(sendableInput(text));
}

/** Arguments as an object; what is none is shown to the model as it came. */
export function sendableInput(text: string): Record<string, unknown> {
  return parseObject(text) ?? { not_json: text };
}

/**
 * The id of a call as a provider takes it that is not the one it came from; the same for the call and its result. Those that fit stay as
 * they are.
 */
export function sendableId(id: string, longest: number): string {
  const fitting = id.replace(/[^a-zA-Z0-9_-]/g, '_');
  if (fitting === id && id.length <= longest && id !== '') return id;
  const mark = createHash('sha256').update(id).digest('hex').slice(0, 8);
  return `${fitting.slice(0, longest - mark.length - 1)}_${mark}`;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text || '{}');
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // below, like all that is no object
  }
  return undefined;
}
