import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunRecord } from '../../../domain/agent-run/run-record.ts';
import { scrubAll } from '../../../domain/secrets/scrub.ts';
import type { AgentTestRun } from '../run-agent-test.ts';

/** A run that a program started, or one of a test. */
export type RecordableRun = { record(): Promise<RunRecord> } | AgentTestRun;

/**
 * Writes a run that has ended to a file of its own in a folder, as JSON without secrets; returns the path. `replayRuns` plays it again.
 * @throws {ClientError} `InvalidInput` if the run has not ended.
 */
export async function recordRun(run: RecordableRun, folder: string): Promise<string> {
  const record = 'record' in run ? await run.record() : recordOf(run);
  const path = join(folder, `${record.runId}.json`);
  await mkdir(folder, { recursive: true });
  await writeFile(path, `${JSON.stringify(scrubAll(record), undefined, 2)}\n`);
  return path;
}

function recordOf(run: AgentTestRun): RunRecord {
  const { runId, agent, kind, input, params, metadata, operations, messages, status, output, reason } = run;
  return {
    format: 'longhaul-run-1',
    ...{ runId, agent, kind, input, params, metadata },
    operations: operations
      .filter(({ finished }) => finished)
      .map(({ kind, name, scope, key, result }) => ({ kind, name, scope, key, result })),
    ...(kind === 'declared' && { messages }),
    ...{ status, output: output ?? null, ...(reason !== undefined && { reason }) },
  };
}
