import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { SandboxError } from '../errors.ts';
import { readAsset } from '../read-asset.ts';
import type { CommandResult, Sandbox } from '../sandbox.ts';

/** A program of an agent in which its tools are functions. */
export interface Program {
  /** A second run with it attaches to the first or reads its result. */
  id: string;
  /** The body of an asynchronous JavaScript function. */
  code: string;
  /** The names of the tools. */
  functions: string[];
  cancel: AbortSignal;
  /** Aborting leaves the program to itself; it goes on and waits for its answers. */
  detach: AbortSignal;
}

export interface ProgramCall {
  /** Counts the program's calls from 1. */
  number: number;
  tool: string;
  input: unknown;
  /** Which call of this tool with this input it is, from 1. */
  time: number;
}

export type ProgramAnswer = { number: number } & ({ value: unknown } | { error: string });

/** `interrupted`: its sandbox stopped, or somebody stopped it, so that it has to begin again. */
export type ProgramEnd =
  | { ended: 'returned'; value: unknown; output: string }
  | { ended: 'failed'; error: string; output: string }
  | { ended: 'interrupted' };

/** A program may wait for a person; after 20 days, about the most that a timer takes, it begins again, and its calls are answered from their record. */
const longest = 20 * 24 * 3_600_000;

/** Starts a program, or attaches to it, and waits for its end. */
export async function runAgentProgram(
  sandbox: Pick<Sandbox, 'run'>,
  { id, code, functions, cancel, detach }: Program,
): Promise<ProgramEnd> {
  const result = await sandbox.run({
    id,
    script: 'exec node -e "$RUN"',
    environment: { RUN: readAsset('agent-tools/run-program.cjs') },
    input: JSON.stringify({ code, functions, name: id }),
    timeoutMs: longest,
    cancel,
    detach,
  });
  return endOf(result);
}

const callsSchema = z.array(
  z.object({ number: z.int().min(1), tool: z.string().max(100), input: z.json(), time: z.int().min(1) }),
);

/** Hands a program its answers and waits, at most `waitMs`, for calls that have none. */
export async function exchangeCalls(
  sandbox: Pick<Sandbox, 'run'>,
  { id, answers, waitMs }: { id: string; answers: ProgramAnswer[]; waitMs: number },
): Promise<ProgramCall[]> {
  const { output, outcome } = await sandbox.run({
    id: `exchange-${randomUUID()}`,
    script: 'exec node -e "$RUN"',
    environment: { RUN: readAsset('agent-tools/exchange-calls.cjs') },
    input: JSON.stringify({ name: id, answers, waitMs }),
    timeoutMs: waitMs + 30_000,
  });
  if (outcome === 'interrupted') return []; // so is the program
  try {
    return callsSchema.parse(JSON.parse(output.text.trimEnd().split('\n').at(-1) ?? ''));
  } catch (cause) {
    const said = output.text.slice(-500);
    throw new SandboxError('HarnessFailed', `Expected the calls of the program ${id}, got: ${said}`, { cause });
  }
}

const reportSchema = z.union([z.strictObject({ value: z.json() }), z.strictObject({ error: z.string() })]);

function endOf({ outcome, exitCode, output }: CommandResult): ProgramEnd {
  if (outcome !== 'exited') return { ended: 'interrupted' };
  const lines = output.text.trimEnd().split('\n');
  const printed = lines.slice(0, -1).join('\n').trimEnd();
  const report = parseReport(lines.at(-1) ?? '');
  if (!report) {
    return { ended: 'failed', error: `It ended with exit code ${exitCode} before it returned.`, output: output.text };
  }
  return 'error' in report
    ? { ended: 'failed', error: report.error, output: printed }
    : { ended: 'returned', value: report.value, output: printed };
}

function parseReport(line: string): z.output<typeof reportSchema> | undefined {
  try {
    return reportSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
