import { asc, eq, type SQL } from 'drizzle-orm';
import type { ExportedRow, Owner } from '../../domain/stores/purge.ts';
import type { Database } from '../connection/database.ts';
import { agentRuns } from '../schema/agent-runs.ts';
import { runs } from '../schema/runs.ts';
import { readMessages } from '../transcript/transcript.ts';
import { runsOf } from './purge-agent-runs.ts';

/** The runs of users' own agents that a purge of the owner would remove, each with its messages; all runs if there is no owner. */
export async function* exportAgentRuns(database: Database, owner?: Owner): AsyncIterable<ExportedRow> {
  const which: SQL | undefined = owner && runsOf(owner);
  for (const { queue: _, eventCount: __, ...row } of await database
    .select()
    .from(agentRuns)
    .where(which)
    .orderBy(asc(agentRuns.createdAt))) {
    yield { store: 'runs', kind: 'run', row };
    const [run] = await database.select({ id: runs.id }).from(runs).where(eq(runs.agentRunId, row.id));
    for (const { number, role, content } of run ? await readMessages(database, run.id) : [])
      yield { store: 'runs', kind: 'message', row: { run: row.id, number, role, ...content } };
  }
}
