import { RequestRefusedError } from '../request-refused-error.ts';

interface ConversationMessage {
  role: string;
  tool_calls: Array<{ id: string; function: { name: string; arguments: string } }>;
  tool_call_id?: string | null | undefined;
}

const namePattern = /^[a-zA-Z0-9_-]{1,64}$/;

/**
 * Checks the calls of a conversation as strictly as the strictest servers of a protocol: OpenAI and Anthropic check names, ids, and that each call is
 * directly followed by its result; vLLM and llama.cpp parse the arguments to fill in a template.
 * @throws {RequestRefusedError} as such a server would.
 */
export function checkCalls(messages: ConversationMessage[], idPattern: RegExp): void {
  const known = new Set<string>();
  let open = new Set<string>();
  messages.forEach((message, index) => {
    const at = `messages[${index}]`;
    if (message.role === 'tool') {
      if (open.delete(message.tool_call_id ?? '')) return;
      refuse(`${at}: a message with role 'tool' must be a response to a preceding message with 'tool_calls'`);
    }
    checkAnswered(open, at);
    open = new Set(message.tool_calls.map(({ id }) => id));
    message.tool_calls.forEach(({ id, function: { name, arguments: text } }, position) => {
      const call = `${at}.tool_calls[${position}]`;
      if (!idPattern.test(id)) refuse(`${call}.id: expected a string that matches ${idPattern}, got "${id}"`);
      if (known.has(id)) refuse(`${call}.id: ids of tool calls must be unique, "${id}" is not`);
      known.add(id);
      if (!namePattern.test(name)) {
        refuse(`${call}.function.name: expected a string that matches ${namePattern}, got "${name}"`);
      }
      if (!isObject(text)) refuse(`${call}.function.arguments: expected a JSON object, got ${text.slice(0, 100)}`);
    });
  });
  checkAnswered(open, 'the end');
}

function checkAnswered(open: ReadonlySet<string>, at: string): void {
  if (open.size === 0) return;
  refuse(
    `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'; before ${at} there is none for ${[...open].join(', ')}`,
  );
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false; // not JSON, so not an object
  }
}

function refuse(message: string): never {
  throw new RequestRefusedError('invalid_request', message);
}
