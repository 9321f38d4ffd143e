import { composeOutput } from './command-output.ts';
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
