import picocolors from 'picocolors';
import type { CommandContext } from '../program/command-context.ts';

export type Colors = ReturnType<typeof picocolors.createColors>;

/** How a list is printed: its colours, and the width that its lines have to fit into. */
export interface ListStyle {
  colors: Colors;
  width?: number | undefined;
}

/** Colours for a stream: on a terminal unless NO_COLOR is set, elsewhere if FORCE_COLOR is set. See https://no-color.org. */
export function colorsFor(stream: { isTTY?: boolean }, environment: Record<string, string | undefined>): Colors {
  const wanted = !environment.NO_COLOR && (Boolean(environment.FORCE_COLOR) || Boolean(stream.isTTY));
  return picocolors.createColors(wanted);
}

/** The size of a terminal: 80 by 24 if it does not report one, or reports 0. */
export function terminalSize(output: { columns?: number; rows?: number }): { columns: number; rows: number } {
  return { columns: output.columns || 80, rows: output.rows || 24 };
}

/** Colours and width for lists on stdout; lines are not truncated without a terminal, or on one without a known width. */
export function listStyle({ stdout, environment }: Pick<CommandContext, 'stdout' | 'environment'>): ListStyle {
  return { colors: colorsFor(stdout, environment), ...(stdout.isTTY && { width: stdout.columns || undefined }) };
}
