import { endOfLastCharacter, startOfFirstCharacter, toText } from './output-text.ts';
import type { CommandOutput } from './sandbox.ts';

/** Bytes shown of the start and of the end of a command's output: 32 KiB together, about 8,000 tokens. */
export const shownBytes = { head: 12 * 1024, tail: 20 * 1024 };

/** Puts the start and the end of a command's output together; the end is empty if the start is all that is shown. */
export function composeOutput(head: Buffer, tail: Buffer, totalBytes: number): CommandOutput {
  if (tail.length === 0) return { text: toText(head), totalBytes, truncated: totalBytes > head.length };
  const first = head.subarray(0, endOfLastCharacter(head));
  const last = tail.subarray(startOfFirstCharacter(tail));
  const leftOut = totalBytes - first.length - last.length;
  return {
    text: `${toText(first)}\n[... ${leftOut} bytes omitted ...]\n${toText(last)}`,
    totalBytes,
    truncated: true,
  };
}
