import type { RequestedToolCall } from '../../domain/run/message.ts';
import { preview } from '../../domain/storable-text.ts';

/** What a call is about, in a person's terms: its first string argument, such as the path or the command; for `execute_code`, the code. */
export function describeCall(call: RequestedToolCall, limit: number): string {
  return preview(firstText(call) ?? call.arguments, limit);
}

function firstText({ name, arguments: text }: RequestedToolCall): string | undefined {
  try {
    const value: unknown = JSON.parse(text || '{}');
    if (typeof value !== 'object' || value === null) return undefined;
    if (name === 'execute_code' && 'code' in value && typeof value.code === 'string') return value.code;
    return Object.values(value).find((argument) => typeof argument === 'string') ?? '';
  } catch {
    return undefined; // not JSON: the model gets an error; here its raw text is shown
  }
}
