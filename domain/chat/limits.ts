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
  /** Where they are set, if not in the settings of chats. */
  origin?: LimitOrigin;
  /** When its agent counts as stuck, if the settings say so. */
  stuck?: Partial<StuckLimits>;
}

/** Whose limits they are, and the setting of each, as a person would write it. */
export interface LimitOrigin {
  of: 'message' | 'task';
  modelCalls: string;
  toolCalls: string;
  tokens: string;
}

export const limitsOfSettings: LimitOrigin = {
  of: 'message',
  modelCalls: '`maxTurns.chat`',
  toolCalls: '`chat.toolCalls`',
  tokens: '`chat.tokens`',
};

/** Where limits are set if a user-defined agent sets some of them itself. */
export function limitsOfAgent({ name, limits }: { name: string; limits: Partial<ChatAmounts> }): LimitOrigin {
  const own = (amount: keyof ChatAmounts) =>
    limits[amount] === undefined ? limitsOfSettings[amount] : `\`limits.${amount}\` of the agent ${name}`;
  return { of: 'message', modelCalls: own('modelCalls'), toolCalls: own('toolCalls'), tokens: own('tokens') };
}

/** Where the limits of a delegated task are set, half as high as those of its message. */
export function limitsOfTask({ modelCalls, toolCalls, tokens }: LimitOrigin): LimitOrigin {
  return {
    of: 'task',
    modelCalls: `half of ${modelCalls}`,
    toolCalls: `half of ${toolCalls}`,
    tokens: `half of ${tokens}`,
  };
}

/** What the answer has taken so far. */
export type ChatSpent = ChatAmounts;

/** Why no further model call may be made for a message; undefined while calls are left. */
export function findReachedLimit(spent: ChatSpent, limits: ChatLimits): string | undefined {
  if (spent.modelCalls >= limits.modelCalls) return reached(limits, 'modelCalls', 'model calls');
  if (spent.toolCalls >= limits.toolCalls) return tooManyCalls(limits);
  if (spent.tokens >= limits.tokens) return reached(limits, 'tokens', 'tokens');
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
export function tooManyCalls(limits: ChatLimits): string {
  return reached(limits, 'toolCalls', 'tool calls');
}

/** Why an agent that was warned of a loop must answer now. */
export function describeLoop(reason: string): string {
  return `${reason} A warning did not help (\`stuck.sameCalls\`).`;
}

function reached(limits: ChatLimits, amount: keyof ChatAmounts, unit: string): string {
  const { origin = limitsOfSettings } = limits;
  return `The ${origin.of} reached its limit of ${limits[amount]} ${unit} (${origin[amount]}).`;
}

/** What a person may do after a limit, and the agent that delegated. */
export const howToGoOn = {
  person: 'The results so far are kept: say "go on" to continue.',
  agent: 'Continue from what is above, or delegate what is left.',
};
