import type { CommandContext } from './command-context.ts';
import type { ListStyle } from './text/render-lists.ts';

/** Colours and width for lists on stdout; a list that goes elsewhere is not cut. */
export async function listStyle({ stdout, environment }: CommandContext): Promise<ListStyle> {
  const { colorsFor } = await import('./text/colors.ts');
  return { colors: colorsFor(stdout, environment), ...(stdout.isTTY && { width: stdout.columns }) };
}
