import { sql } from 'drizzle-orm';
import { interjections, runs } from '../schema/runs.ts';

/** True, in a query on `runs`, where something waits to be said to the run; what was for a run that ended is for the next one. */
export const isSpokenTo = sql<boolean>`exists (
  select 1 from ${interjections} waiting left join ${runs} addressee on addressee.id = waiting.for_run_id
  where waiting.project_id = ${runs.projectId} and waiting.delivered_at is null
    and (waiting.for_run_id is null or waiting.for_run_id = ${runs.id} or addressee.status <> 'RUNNING'))`;
