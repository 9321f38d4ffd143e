import { countOf } from '../../../client/format/count.ts';
import type { Colors } from '../../render/style.ts';

/** The first of many lines, and how many more there are. */
export function fold(lines: string[], shown: number, { dim }: Colors): string[] {
  if (lines.length <= shown + 1) return lines;
  return [...lines.slice(0, shown), dim(`[${countOf(lines.length - shown, 'more line')}]`)];
}
