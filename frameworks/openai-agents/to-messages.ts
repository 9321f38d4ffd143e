import type { AgentInputItem, ModelRequest } from '@openai/agents';
import { AgentError } from '../../agents/runtime/agent-error.ts';
import type { AgentMessage } from '../../domain/agent-run/message.ts';
import type { CarriedItems } from '../../domain/run/message.ts';

/** The name under which an answer's items keep what its provider wants back. */
export const metadataName = 'longhaul';

type Part = { type: string; text?: string; refusal?: string };

/**
 * The SDK's input as messages; thoughts that other models had are left out.
 * @throws {AgentError} `InvalidValue` for a picture, a file or anything else but texts, calls of functions and their results.
 */
export function toMessages({ systemInstructions, input }: ModelRequest): AgentMessage[] {
  const messages: AgentMessage[] = [];
  if (systemInstructions) messages.push({ role: 'system', content: systemInstructions });
  if (typeof input === 'string') return [...messages, { role: 'user', content: input }];
  for (const item of input) add(messages, item);
  return messages;
}

function add(messages: AgentMessage[], item: AgentInputItem): void {
  const { type = 'message', providerData } = item as { type?: string; providerData?: Record<string, unknown> };
  const { carried } = (providerData?.[metadataName] ?? {}) as { carried?: CarriedItems };
  if (item.type === 'function_call') {
    const { callId: id, name, arguments: given } = item;
    const last = messages.at(-1);
    const asking: AgentMessage = last?.role === 'assistant' ? last : { role: 'assistant', content: '' };
    if (asking !== last) messages.push(asking);
    asking.toolCalls = [...(asking.toolCalls ?? []), { id, name, arguments: given }];
    if (carried) asking.carried = carried;
  } else if (item.type === 'function_call_result') {
    const { callId: toolCallId, name, output } = item;
    messages.push({ role: 'tool', toolCallId, content: textOf(output, `the result of ${name}`) });
  } else if ('role' in item) {
    const content = textOf(item.content, `a message of the ${item.role}`);
    messages.push({ role: item.role, content, ...(carried && { carried }) });
  } else if (type !== 'reasoning') {
    throw cannotCarry(type, 'the input');
  }
}

function textOf(content: string | Part | readonly Part[], place: string): string {
  if (typeof content === 'string') return content;
  return [content]
    .flat()
    .map((part: Part) => {
      const text = part.type === 'refusal' ? part.refusal : part.text;
      if (text === undefined) throw cannotCarry(part.type, place);
      return text;
    })
    .join('\n\n');
}

function cannotCarry(type: string, place: string): AgentError {
  return new AgentError(
    'InvalidValue',
    `Expected texts, calls of functions and their results, which Longhaul's models take, got "${type}" in ${place}. Leave it out, or describe it in words.`,
  );
}
