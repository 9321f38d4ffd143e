import type { StuckLimits } from '../run/loop-detection.ts';

/** What an answer takes. */
interface ChatAmounts {
  modelCalls: number;
  toolCalls: number;
  /** Input and output tokens of its calls together. */
  tokens: number;
}

/** The most that the answer to one message may take. */
export interface ChatLimits extends ChatAmounts {
  /** When its agent counts as stuck, if the settings say so. */
  stuck?: Partial<StuckLimits>;
}

/** What the answer has taken so far. */
export type ChatSpent = ChatAmounts;

/** Why no further model call may be made for a message; undefined while calls are left. */
export function findReachedLimit(spent: ChatSpent, limits: ChatLimits): string | undefined {
  if (spent.modelCalls >= limits.modelCalls) return reached(`${limits.modelCalls} model calls`, 'maxTurns.chat');
  if (spent.toolCalls >= limits.toolCalls) return reached(`${limits.toolCalls} tool calls`, 'chat.toolCalls');
  if (spent.tokens >= limits.tokens) return reached(`${limits.tokens} tokens`, 'chat.tokens');
  return undefined;
}

/**
 * Why the next model call for a message is the last one, in which the model has to say what it found; undefined if more may follow. That call resends
 * what the one before it read and said, `latest` tokens.
 */
export function findLastCall(spent: ChatSpent, latest: number, limits: ChatLimits): string | undefined {
  const next = { ...spent, modelCalls: spent.modelCalls + 1, tokens: spent.tokens + latest };
  return findReachedLimit(next, limits);
}

/** Only this limit cuts the calls of an answer short; the others are checked between two answers. */
export function tooManyCalls({ toolCalls }: ChatLimits): string {
  return reached(`${toolCalls} tool calls`, 'chat.toolCalls');
}

/** Why an agent that was warned of a loop must answer now. */
export function describeLoop(reason: string): string {
  return `${reason} A warning did not help (\`stuck.sameCalls\`).`;
}

function reached(limit: string, setting: string): string {
  return `The message reached its limit of ${limit} (\`${setting}\`).`;
}

/** What a person may do after a limit. */
export const howToGoOn = 'The results so far are kept: say "go on" to continue.';
