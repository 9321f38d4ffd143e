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
      /** Accompanies exit code 0: a proof that only the keeper was given. Empty if the sandbox has no secret. */
      proof: string;
    }
  | { kind: 'refused'; reason: string };

const outcomes: Array<CommandResult['outcome']> = ['exited', 'timed-out', 'cancelled', 'interrupted'];

/** Reads the report line and the output after it; undefined if the keeper died before writing them. */
export function parseReport(stdout: Buffer): Report | undefined {
  const end = stdout.indexOf(0x0a);
  if (end === -1) return undefined;
  const words = stdout.subarray(0, end).toString('latin1').split(' ');
  if (words[0] === 'longhaul-refused') return { kind: 'refused', reason: words[1] ?? '' };
  const [mark, role, outcomeWord, code, ms, total, head, tail, proof = ''] = words;
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
    proof,
  };
}

function composeOutput(head: Buffer, tail: Buffer, totalBytes: number): CommandOutput {
  if (tail.length === 0) return { text: toText(head), totalBytes, truncated: totalBytes > head.length };
  const first = head.subarray(0, endOfLastCharacter(head));
  const last = tail.subarray(startOfFirstCharacter(tail));
  const leftOut = totalBytes - first.length - last.length;
  return {
    text: `${toText(first)}\n[... ${leftOut} bytes left out ...]\n${toText(last)}`,
    totalBytes,
    truncated: true,
  };
}

/** Text that every store accepts: invalid UTF-8 and NUL (which Postgres rejects) become the replacement character. */
function toText(bytes: Buffer): string {
  return bytes.toString('utf8').replaceAll('\0', '\uFFFD');
}

function startOfFirstCharacter(bytes: Buffer): number {
  let start = 0;
  while (start < Math.min(3, bytes.length) && isContinuation(bytes[start])) start++;
  return start;
}

function endOfLastCharacter(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(4, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (isContinuation(byte)) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
