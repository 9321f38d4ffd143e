import { sql } from 'drizzle-orm';
import { runs, steeringMessages } from '../schema/runs.ts';

/** For queries on `runs`: whether a message is pending for the run. One for a run that has ended goes to the next run. */
export const hasPendingSteeringMessage = sql<boolean>`exists (
  select 1 from ${steeringMessages} waiting left join ${runs} addressee on addressee.id = waiting.for_run_id
  where waiting.project_id = ${runs.projectId} and waiting.delivered_at is null
    and (waiting.for_run_id is null or waiting.for_run_id = ${runs.id} or addressee.status <> 'RUNNING'))`;
