import type { Draw } from '../draw.ts';
import { applyEdits } from '../source-text.ts';
import { spoilInlineCode } from './inline-code.ts';
import { onlyLooks } from './only-looks.ts';
import { spoilLastComparison } from './spoil-shell.ts';

/**
 * A step's command in which what it says itself fails: code that it gives to an interpreter, else the comparison that it ends with. Undefined if it has
 * neither, if the step would not have to fail then, or if it runs nothing of the work.
 */
export function spoilCommand(command: string, draw: Draw): string | undefined {
  const edits = spoilInlineCode(command, draw);
  if (edits.length) return applyEdits(command, edits);
  return onlyLooks(command) ? undefined : spoilLastComparison(command, draw);
}
