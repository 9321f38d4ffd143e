import { z } from 'zod';
import type { MadeTool, madeToolLanguages } from '../../agents/made-tools/made-tool.ts';
import type { Refusal } from '../../agents/made-tools/refusal.ts';
import type { Sandbox } from '../sandbox.ts';
import { type ProgramSignals, runProgram } from './run-program.ts';

/** Bytes that are shown of what a tool prints. */
const shownOutput = 6000;
/** Milliseconds that our own program has beyond the tool's, for its start and its report. */
const grace = 15_000;

const reportSchema = z.object({
  /** `ended` without a result: it ended its process, or was killed. */
  outcome: z.enum(['returned', 'failed', 'ended', 'timed-out', 'too-large']),
  value: z.string().optional(),
  error: z.string().optional(),
  output: z.string(),
  outputBytes: z.number(),
  exitCode: z.number(),
});

/** What came of a call of a made tool, or of its tests. */
export type ToolReport = z.output<typeof reportSchema> | { outcome: 'cancelled' | 'killed'; output: string };

interface Limits {
  timeoutSeconds: number;
}

/** Calls a made tool in a sandbox, as a process of its own; under the same id it is called once. */
export async function runMadeTool(
  sandbox: Sandbox,
  { id, tool, given }: { id: string; tool: Pick<MadeTool, 'name' | 'language' | 'code'>; given: unknown },
  { timeoutSeconds }: Limits,
  signals: ProgramSignals = {},
): Promise<ToolReport> {
  const { name, language, code } = tool;
  return report(sandbox, id, { name, language, code, arguments: given }, timeoutSeconds, signals);
}

/** Runs the tests that came with a made tool. */
export async function runToolTests(
  sandbox: Sandbox,
  { id, tool }: { id: string; tool: Pick<MadeTool, 'name' | 'language' | 'code' | 'tests'> },
  { timeoutSeconds }: Limits,
  signals: ProgramSignals = {},
): Promise<ToolReport> {
  const { name, language, code, tests } = tool;
  return report(sandbox, id, { name, language, code, tests }, timeoutSeconds, signals);
}

async function report(
  sandbox: Sandbox,
  id: string,
  request: { language: (typeof madeToolLanguages)[number] } & Record<string, unknown>,
  seconds: number,
  signals: ProgramSignals,
): Promise<ToolReport> {
  const told = await runProgram(
    sandbox,
    {
      id,
      program: 'run',
      request: { ...request, seconds, outputBytes: shownOutput },
      timeoutMs: seconds * 1000 + grace,
    },
    signals,
  );
  if ('outcome' in told) return { outcome: told.outcome === 'cancelled' ? 'cancelled' : 'killed', output: told.said };
  const parsed = reportSchema.safeParse(told.answer);
  // What the tool printed in our program's place is no report of it.
  return parsed.success ? parsed.data : { outcome: 'killed', output: '' };
}

const refusalsSchema = z.array(
  z.object({ part: z.enum(['code', 'tests']), line: z.number(), reason: z.string().max(2000) }),
);

/** What a look at the syntax tree of a tool in Python, and of its tests, finds wrong; before anything of it has run in the sandbox. */
export async function checkPython(
  sandbox: Sandbox,
  request: {
    id: string;
    name: string;
    code: string;
    tests: string;
    imports: string[];
    properties: string[];
    required: string[];
  },
  signals: ProgramSignals = {},
): Promise<Refusal[]> {
  const { id, ...rest } = request;
  const told = await runProgram(sandbox, { id, program: 'check', request: rest, timeoutMs: grace }, signals);
  if ('answer' in told) return refusalsSchema.parse(told.answer);
  return [{ part: 'code', reason: `it could not be parsed (${told.outcome}): ${told.said}` }];
}
