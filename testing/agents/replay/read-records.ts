import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { messageSchema } from '../../../domain/agent-run/message-schema.ts';
import type { RunRecord } from '../../../domain/agent-run/run-record.ts';
import { agentRunStatuses } from '../../../domain/agent-run/status.ts';
import { describeIssues } from '../../../domain/describe-issue.ts';
import { AgentTestError } from '../agent-test-error.ts';

const recordSchema = z.object({
  format: z.literal('longhaul-run-1'),
  runId: z.string(),
  agent: z.string(),
  kind: z.enum(['declared', 'coded']),
  input: z.array(messageSchema),
  params: z.unknown(),
  metadata: z.record(z.string(), z.unknown()),
  operations: z.array(
    z.object({ kind: z.string(), name: z.string(), scope: z.string(), key: z.string(), result: z.unknown() }),
  ),
  messages: z.array(messageSchema).optional(),
  status: z.enum(agentRunStatuses),
  output: z.unknown(),
  reason: z.string().optional(),
});

/**
 * The recorded runs of a folder, by their files' names.
 * @throws {AgentTestError} `RecordUnusable` naming the file, and if there are none.
 */
export async function readRecords(folder: string): Promise<RunRecord[]> {
  const files = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json')).sort();
  if (!files.length) {
    throw new AgentTestError(
      'RecordUnusable',
      `Expected recorded runs in ${folder}, found none. \`recordRun(run, folder)\` writes one.`,
    );
  }
  return Promise.all(files.map((name) => readRecord(join(folder, name))));
}

async function readRecord(path: string): Promise<RunRecord> {
  const value = parse(path, await readFile(path, 'utf8'));
  const parsed = recordSchema.safeParse(value);
  if (parsed.success) return parsed.data as RunRecord;
  throw new AgentTestError(
    'RecordUnusable',
    `Expected a recorded run in ${path}:\n${describeIssues(parsed.error, value)}\nRecord it anew.`,
  );
}

function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AgentTestError('RecordUnusable', `Expected a recorded run in ${path}, got text that is no JSON.`, {
      cause,
    });
  }
}
