import { expect, test } from '@jest/globals';
import type { Dependencies } from '../../../activities/dependencies.ts';
import { recallForSession } from '../../../activities/run/recall-for-session.ts';
import { createRunActivities } from '../../../activities/run/run.ts';
import { loadPrompts } from '../../../agents/load-prompts.ts';
import type { MemoryStore } from '../../../db/memory/memory-store.ts';
import { claimFeature } from '../../../db/project/claim-feature.ts';
import { readMessages } from '../../../db/transcript/transcript.ts';
import { seedProject } from '../../client/seed-project.ts';
import { databaseOfFile } from '../../support/servers/test-database.ts';
import { inActivity } from '../../support/work/in-activity.ts';

const { database } = await databaseOfFile();

/** Of these memories nothing but a search is asked. */
const storeOf = (search: () => Promise<never>) => ({ search }) as unknown as MemoryStore;

test('a memory store that stays away does not keep a run from starting, and is reported', async () => {
  const projectId = 'project-unread';
  const sessionId = `${projectId}-s2`;
  await seedProject(database, projectId);
  await claimFeature(database, { projectId, sessionId, number: 2 });
  const { startRun } = createRunActivities({
    database,
    memory: storeOf(() => Promise.reject(new Error('no route to the bucket'))),
    prompts: loadPrompts('/nowhere'),
    modelOf: () => 'm',
    agents: { maxTurns: {}, stuck: {}, permissions: { rules: [] } },
    defaultImage: 'mine',
    openRepository: async () => ({}),
  } as unknown as Dependencies); // of the rest nothing is asked
  const runId = `${sessionId}-plan`;
  const attempt = (number: number) =>
    inActivity(() => startRun({ owner: { kind: 'project', id: projectId }, sessionId, runId, role: 'planner' }), {
      info: { attempt: number },
    });
  await expect(attempt(1)).rejects.toThrow('no route to the bucket');
  await expect(attempt(7)).rejects.toThrow('no route to the bucket');
  await attempt(8);
  const [, task] = await readMessages(database, runId);
  expect(task?.content.text).toMatch(/that may matter here\s+Longhaul could not read its memories when this run began/);
});

test('a search that hangs is given up', async () => {
  await seedProject(database, 'project-hanging');
  const memory = storeOf(() => new Promise(() => {}));
  const recall = (attempt: number) =>
    inActivity(
      () => recallForSession({ database, memory }, { projectId: 'project-hanging', runId: 'r', text: 'report' }, 50),
      { info: { attempt } },
    );
  await expect(recall(1)).rejects.toThrow('Memory search took longer than 0.05 s.');
  expect(await recall(8)).toMatchObject({ decisions: expect.stringContaining('could not read its memories') });
});
