import type { AgentMessage } from '../../../domain/agent-run/message.ts';
import type { CarriedItems } from '../../../domain/run/message.ts';
import { AgentError } from '../agent-error.ts';
import type { PromptMessage, PromptPart } from './language-model.ts';

/** The name under which an answer's parts keep what its provider wants back. */
export const metadataName = 'longhaul';

/**
 * The AI SDK's prompt as messages. Texts of one message are joined by blank lines; thoughts that another library's models had are left out.
 * @throws {AgentError} `InvalidValue` for a file or anything else but texts, tool calls and their results.
 */
export function toMessages(prompt: readonly PromptMessage[]): AgentMessage[] {
  return prompt.flatMap((message): AgentMessage[] => {
    if (message.role === 'system') return [{ role: 'system', content: message.content }];
    const { role, content } = message;
    if (role === 'tool') return content.map(toResult);
    const known = content.filter(({ type }) => type !== 'reasoning');
    const calls = role === 'assistant' ? known.filter(({ type }) => type === 'tool-call') : [];
    const text = known
      .filter((part) => !calls.includes(part))
      .map((part) => textOf(part, `a message of the ${role}`))
      .join('\n\n');
    const carried = content.flatMap(({ providerOptions }) => providerOptions?.[metadataName]?.carried ?? [])[0];
    return [
      {
        ...{ role, content: text },
        ...(calls.length && { toolCalls: calls.map(toCall) }),
        ...(carried ? { carried: carried as CarriedItems } : {}),
      },
    ];
  });
}

function toCall({ toolCallId = '', toolName = '', input }: PromptPart) {
  return { id: toolCallId, name: toolName, arguments: typeof input === 'string' ? input : JSON.stringify(input ?? {}) };
}

function toResult(part: PromptPart): AgentMessage {
  const { type, toolCallId, output } = part;
  if (type !== 'tool-result' || toolCallId === undefined || !output) throw cannotCarry(part, "a tool's message");
  return { role: 'tool', toolCallId, content: resultOf(output, part) };
}

function resultOf({ type, value, reason }: NonNullable<PromptPart['output']>, part: PromptPart): string {
  switch (type) {
    case 'text':
    case 'error-text':
      return `${value}`;
    case 'json':
    case 'error-json':
      return JSON.stringify(value) ?? '';
    case 'execution-denied':
      return `The call was refused${reason ? `: ${reason}` : '.'}`;
    case 'content':
      return (value as PromptPart[]).map((one) => textOf(one, `the result of ${part.toolName}`)).join('\n\n');
    default:
      throw cannotCarry({ type }, `the result of ${part.toolName}`);
  }
}

function textOf(part: PromptPart, place: string): string {
  if (part.type === 'text' && part.text !== undefined) return part.text;
  throw cannotCarry(part, place);
}

function cannotCarry({ type, mediaType }: PromptPart, place: string): AgentError {
  const what = mediaType === undefined ? `a part "${type}"` : `a ${type} of the type ${mediaType}`;
  return new AgentError(
    'InvalidValue',
    `Expected texts, tool calls and their results, which Longhaul's models take, got ${what} in ${place}. Leave it out, or describe it in words.`,
  );
}
