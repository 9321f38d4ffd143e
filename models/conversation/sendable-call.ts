import { createHash } from 'node:crypto';
import type { RequestedToolCall } from '../../domain/run/message.ts';

/** Maximum length of a name that OpenAI and Anthropic accept. */
const maxName = 64;

/**
 * A call in a form that the next request may contain. A model may call a tool that does not exist, or with arguments that are not JSON. The result
 * tells it so, but the call itself goes back to the provider. Servers refuse names with other characters, and arguments that are not a JSON object.
 */
export function sendableCall<Call extends Pick<RequestedToolCall, 'name' | 'arguments'>>(call: Call): Call {
  const name = call.name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, maxName) || 'unknown';
  return { ...call, name, arguments: toObjectText(call.arguments) };
}

function toObjectText(text: string): string {
  return parseObject(text) ? text || '{}' : JSON.stringify(sendableInput(text));
}

/** Arguments as an object; anything else is wrapped in one, so that the model sees it as it came. */
export function sendableInput(text: string): Record<string, unknown> {
  return parseObject(text) ?? { not_json: text };
}

/** The id of a call in a form that another provider than its own accepts; the same for the call and its result. Ids that fit stay as they are. */
export function sendableId(id: string, maxLength: number): string {
  const fitting = id.replace(/[^a-zA-Z0-9_-]/g, '_');
  if (fitting === id && id.length <= maxLength && id !== '') return id;
  const mark = createHash('sha256').update(id).digest('hex').slice(0, 8);
  return `${fitting.slice(0, maxLength - mark.length - 1)}_${mark}`;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text || '{}');
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // handled below, like everything that is not an object
  }
  return undefined;
}
