import { createCompactRun } from '../../../activities/compaction/compact-run.ts';
import type { Dependencies } from '../../../activities/dependencies.ts';
import { createCallModel } from '../../../activities/model/call-model.ts';
import { createRunTool } from '../../../activities/tools/run-tool.ts';
import { loadPrompts } from '../../../agents/load-prompts.ts';
import type { Database } from '../../../db/connection/database.ts';
import type { MemoryStore } from '../../../db/memory/memory-store.ts';
import { runs } from '../../../db/schema/runs.ts';
import { writeMessage } from '../../../db/transcript/transcript.ts';
import type { Models } from '../../../models/create-models.ts';
import { inActivity } from './in-activity.ts';
import { unwatched } from './unwatched.ts';

/** The activities of a project's run, on a real database and without a worker; what needs a sandbox has none. */
export async function beginRunOfTurns(options: {
  database: Database;
  models: Models;
  projectId: string;
  runId: string;
  memory?: MemoryStore;
  /** Of its models, tried in order. */
  names?: string;
  /** The models now set for the worker; by default those of the run. */
  namesNow?: string | undefined;
}) {
  const { database, models, projectId, runId, memory, names = 'openai/scripted', namesNow = names } = options;
  const dependencies = {
    database,
    models,
    memory,
    prompts: loadPrompts('/nowhere'),
    ...unwatched,
    callSettingsOf: () => ({}),
    modelOf: (_: string, { model = namesNow }: { model?: string }) => model,
    agents: { tools: {}, permissions: { rules: [] } },
  } as unknown as Dependencies; // of the rest nothing is asked
  await database.insert(runs).values({ id: runId, projectId, role: 'code', model: names, status: 'RUNNING' });
  await writeMessage(database, { runId, number: 0, turn: 0, role: 'system', content: { text: 'You write code.' } });
  await writeMessage(database, { runId, number: 1, turn: 0, role: 'user', content: { text: 'Write it.' } });
  const run = { owner: { kind: 'project' as const, id: projectId }, runId, role: 'code' as const, maxTurns: 50 };
  const callModel = createCallModel(dependencies);
  const runTool = createRunTool(dependencies);
  const compactRun = createCompactRun(dependencies);
  return {
    run,
    callModel: (turn: number, as: Parameters<typeof inActivity>[1] = {}) =>
      inActivity(() => callModel({ ...run, turn }), as),
    runTool: (turn: number, answerNumber: number, position: number) =>
      inActivity(() => runTool({ ...run, turn, position, messageNumber: answerNumber + 1 + position })),
    compactRun: (turn: number, upToMessage: number) =>
      inActivity(() => compactRun({ ...run, turn, upToMessage, why: 'a test' })),
  };
}
