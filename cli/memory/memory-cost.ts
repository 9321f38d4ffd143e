import { formatCost } from '../../client/format/cost.ts';
import { countOf, formatCount } from '../../client/format/count.ts';
import type { CommandContext } from '../program/command-context.ts';
import { alignColumns } from '../text/align-columns.ts';

/** Prints what model calls cost that the memories themselves made, rather than an agent. */
export async function showMemoryCost(context: CommandContext, { json }: { json?: boolean }): Promise<void> {
  const sums = await context.withLonghaul((longhaul) => longhaul.memoryCost());
  if (json) return context.printJson(sums);
  if (!sums.length)
    return context.print('Workers asked no model for the memories yet, or only the local one, which costs nothing.');
  const rows = sums.map(({ purpose, calls, inputTokens, outputTokens, costUsd: usd, ...unknown }) => [
    purpose,
    countOf(calls, 'call'),
    `${formatCount(inputTokens)} tokens in, ${formatCount(outputTokens)} out`,
    formatCost({ usd, ...unknown }),
  ]);
  context.print(alignColumns(rows).join('\n'));
}
