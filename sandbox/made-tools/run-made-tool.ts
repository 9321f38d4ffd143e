import { z } from 'zod';
import type { MadeTool, madeToolLanguages } from '../../domain/tool/made-tool.ts';
import type { Refusal } from '../../domain/tool/refusal.ts';
import type { Sandbox } from '../sandbox.ts';
import { type ProgramSignals, runProgram } from './run-program.ts';

/** Bytes of a tool's output that are shown. */
const shownOutput = 6000;
/** Milliseconds added to the tool's time limit for the harness's program to start and report. */
const grace = 15_000;

const reportSchema = z.object({
  /** `ended`: the tool ended its process without a result, or was killed. */
  outcome: z.enum(['returned', 'failed', 'ended', 'timed-out', 'too-large']),
  value: z.string().optional(),
  error: z.string().optional(),
  output: z.string(),
  outputBytes: z.number(),
  exitCode: z.number(),
});

/** The outcome of calling a made tool, or of its tests. */
export type ToolReport = z.output<typeof reportSchema> | { outcome: 'cancelled' | 'killed'; output: string };

interface Limits {
  timeoutSeconds: number;
}

/** Calls a made tool in a sandbox, in its own process; a retry with the same id does not call it again. */
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
  const result = await runProgram(
    sandbox,
    {
      id,
      program: 'run',
      request: { ...request, seconds, outputBytes: shownOutput },
      timeoutMs: seconds * 1000 + grace,
    },
    signals,
  );
  if ('outcome' in result)
    return { outcome: result.outcome === 'cancelled' ? 'cancelled' : 'killed', output: result.said };
  const parsed = reportSchema.safeParse(result.answer);
  // Output that the tool printed in place of the harness's report does not count as one.
  return parsed.success ? parsed.data : { outcome: 'killed', output: '' };
}

const refusalsSchema = z.array(
  z.object({ part: z.enum(['code', 'tests']), line: z.number(), reason: z.string().max(2000) }),
);

/** What is wrong with a made tool in Python and its tests, judged by their syntax trees, before any of it has run in the sandbox. */
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
  const result = await runProgram(sandbox, { id, program: 'check', request: rest, timeoutMs: grace }, signals);
  if ('answer' in result) return refusalsSchema.parse(result.answer);
  return [{ part: 'code', reason: `could not be parsed (${result.outcome}): ${result.said}` }];
}
