import type { ListStyle } from '../text/render-lists.ts';
import type { CommandContext } from './command-context.ts';

/** Colours and width for lists on stdout; lines are not truncated without a terminal, or on one without a known width. */
export async function listStyle({ stdout, environment }: CommandContext): Promise<ListStyle> {
  const { colorsFor } = await import('../text/colors.ts');
  return { colors: colorsFor(stdout, environment), ...(stdout.isTTY && { width: stdout.columns || undefined }) };
}
