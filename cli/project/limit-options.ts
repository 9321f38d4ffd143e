import { type Command, InvalidArgumentError } from 'commander';
import type { BudgetRequest } from '../../domain/project/messages.ts';

type Limits = BudgetRequest['limits'];
/** Commander treats null as a missing value, so `none` stays a string until all options are parsed. */
export type LimitOptions = { [Name in keyof Limits]?: number | 'none' };

/** Adds the options that limit the use of models. */
export function addLimitOptions(command: Command): Command {
  return command
    .option('--usd <dollars>', 'maximum cost, or none', parseLimit)
    .option('--tokens <count>', 'maximum input and output tokens, or none', parseLimit)
    .option('--turns <count>', 'maximum model calls, or none', parseLimit)
    .option('--minutes <count>', 'maximum time since its start, or none', parseLimit);
}

/** The limits that were given; null for none. */
export function limitsOf({ usd, tokens, turns, minutes }: LimitOptions): Limits {
  const given = Object.entries({ usd, tokens, turns, minutes }).filter(([, limit]) => limit !== undefined);
  return Object.fromEntries(given.map(([name, limit]) => [name, limit === 'none' ? null : limit]));
}

function parseLimit(text: string): number | 'none' {
  if (text === 'none') return text;
  const limit = Number(text);
  if (Number.isFinite(limit) && limit > 0) return limit;
  throw new InvalidArgumentError('Expected a number above 0, or none.');
}
