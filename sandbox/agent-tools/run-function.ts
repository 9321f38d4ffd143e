import { z } from 'zod';
import { readAsset } from '../read-asset.ts';
import type { CommandResult, Sandbox } from '../sandbox.ts';

export interface FunctionCall {
  /** A second run with it attaches to the first or reads its result. */
  id: string;
  /** The call's own id, for the function. */
  callId: string;
  /** Of a JavaScript function, without what is outside it. */
  source: string;
  /** Any JSON. */
  input: unknown;
  timeoutMs: number;
  cancel?: AbortSignal;
  detach?: AbortSignal;
}

const reportSchema = z.union([z.strictObject({ value: z.json() }), z.strictObject({ error: z.string() })]);

/** Runs the function of a user's tool in a sandbox: what it returned, or why there is nothing. */
export async function runFunction(
  sandbox: Pick<Sandbox, 'run'>,
  { id, callId, source, input, timeoutMs, cancel, detach }: FunctionCall,
): Promise<z.output<typeof reportSchema>> {
  const result = await sandbox.run({
    id,
    script: 'exec node -e "$RUN"',
    environment: { RUN: readAsset('agent-tools/run-function.cjs') },
    input: JSON.stringify({ source, input, callId }),
    timeoutMs,
    ...(cancel && { cancel }),
    ...(detach && { detach }),
  });
  return readReport(result) ?? { error: describeEnd(result, timeoutMs) };
}

/** What the last line says. */
function readReport({ outcome, output }: CommandResult): z.output<typeof reportSchema> | undefined {
  if (outcome !== 'exited') return undefined;
  try {
    return reportSchema.safeParse(JSON.parse(output.text.trimEnd().split('\n').at(-1) ?? '')).data;
  } catch {
    return undefined;
  }
}

function describeEnd({ outcome, exitCode, output }: CommandResult, timeoutMs: number): string {
  if (outcome === 'timed-out') return `It was stopped after its ${timeoutMs} ms.`;
  if (outcome !== 'exited') return `It was ${outcome}: its sandbox or a person stopped it.`;
  return `It ended with exit code ${exitCode} and without a result: ${output.text.trim().slice(-500)}`;
}
