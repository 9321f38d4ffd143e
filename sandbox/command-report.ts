import { endOfLastCharacter, startOfFirstCharacter, toText } from './output-text.ts';
import type { CommandOutput, CommandResult } from './sandbox.ts';

/** What the keeper, the program that runs a command inside the sandbox, reports about it. */
export type Report =
  | {
      kind: 'result';
      /** False if this very attempt started the command. */
      attached: boolean;
      outcome: CommandResult['outcome'];
      exitCode: number | null;
      durationMs: number;
      output: CommandOutput;
    }
  | { kind: 'refused'; reason: string };

const outcomes: Array<CommandResult['outcome']> = ['exited', 'timed-out', 'cancelled', 'interrupted'];

/** Reads the report line and the output after it; undefined if the keeper died before writing them. */
export function parseReport(stdout: Buffer): Report | undefined {
  const end = stdout.indexOf(0x0a);
  if (end === -1) return undefined;
  const words = stdout.subarray(0, end).toString('latin1').split(' ');
  if (words[0] === 'longhaul-refused') return { kind: 'refused', reason: words[1] ?? '' };
  const [mark, role, outcomeWord, code, ms, total, head, tail] = words;
  const outcome = outcomes.find((name) => name === outcomeWord);
  if (mark !== 'longhaul' || outcome === undefined) return undefined;
  const shown = stdout.subarray(end + 1);
  return {
    kind: 'result',
    attached: role === 'attached',
    outcome,
    exitCode: code === '-' ? null : Number(code),
    durationMs: Number(ms),
    output: composeOutput(
      shown.subarray(0, Number(head)),
      shown.subarray(Number(head), Number(head) + Number(tail)),
      Number(total),
    ),
  };
}

/** Bytes shown of the start and of the end of a command's output: 32 KiB together, about 8,000 tokens. */
export const shownBytes = { head: 12 * 1024, tail: 20 * 1024 };

/** Keeps of an output only what `composeOutput` shows. */
export class OutputCollector {
  private head = Buffer.alloc(0);
  private tail = Buffer.alloc(0);
  private totalBytes = 0;

  add(bytes: Buffer): void {
    this.totalBytes += bytes.length;
    const room = shownBytes.head - this.head.length;
    if (room > 0) this.head = Buffer.concat([this.head, bytes.subarray(0, room)]);
    this.tail = Buffer.concat([this.tail, bytes.subarray(Math.max(0, room))]).subarray(-shownBytes.tail);
  }

  result(): CommandOutput {
    const isWhole = this.totalBytes <= shownBytes.head + shownBytes.tail;
    return isWhole
      ? composeOutput(Buffer.concat([this.head, this.tail]), Buffer.alloc(0), this.totalBytes)
      : composeOutput(this.head, this.tail, this.totalBytes);
  }
}

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
