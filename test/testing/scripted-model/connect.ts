import OpenAI from 'openai';
import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions';

/** Where in the work a request comes from; the defaults are those of a code agent's first model call. */
export interface Where {
  run?: string;
  role?: string;
  feature?: string;
  attempt?: number;
  turn?: number;
}

/** An OpenAI client that does not retry, so that each call is exactly one request to the server. */
export function connect(url: string): OpenAI {
  return new OpenAI({ baseURL: url, apiKey: 'none', maxRetries: 0, timeout: 60_000 });
}

/** The headers that Longhaul sends with a request. */
export function headers({ run = 'p-s1-work', role = 'code', feature = 'report', attempt = 1, turn = 1 }: Where = {}) {
  return {
    'X-Longhaul-Project': 'p',
    'X-Longhaul-Run': run,
    'X-Longhaul-Role': role,
    'X-Longhaul-Feature': encodeURIComponent(feature),
    'X-Longhaul-Attempt': String(attempt),
    'X-Longhaul-Turn': String(turn),
  };
}

/** Declarations of tools with these names and no parameters. */
export function tools(...names: string[]): ChatCompletionTool[] {
  return names.map((name) => ({ type: 'function', function: { name, parameters: { type: 'object' } } }));
}

/** A conversation of one user message. */
export function says(content: string): ChatCompletionMessageParam[] {
  return [{ role: 'user', content }];
}
