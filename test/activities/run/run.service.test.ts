import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import type { Dependencies } from '../../../activities/dependencies.ts';
import { describeProject } from '../../../activities/run/describe-project.ts';
import { describeSession } from '../../../activities/run/describe-session.ts';
import { recallForSession } from '../../../activities/run/recall-for-session.ts';
import { createRunActivities } from '../../../activities/run/run.ts';
import { loadPrompts } from '../../../agents/load-prompts.ts';
import { claimFeature } from '../../../db/features/claim-feature.ts';
import { type MemoryStore, openMemoryStore } from '../../../db/memory/memory-store.ts';
import { projects } from '../../../db/schema/projects.ts';
import { readMessages } from '../../../db/transcript/transcript.ts';
import { defaultProjectSettings } from '../../../domain/project/settings.ts';
import { seedProject } from '../../client/seed-project.ts';
import { databaseOfFile } from '../../support/servers/test-database.ts';
import { inActivity } from '../../support/work/in-activity.ts';

const { database } = await databaseOfFile();

describe('what a run is told', () => {
  const folder = mkdtempSync(join(tmpdir(), 'longhaul-memories-'));
  let memory: MemoryStore;
  beforeAll(async () => {
    memory = await openMemoryStore({ uri: folder });
  });
  afterAll(async () => {
    await memory.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** What the initializer, and then the agent of a session, are told about the sandbox. */
  async function describeRun(projectId: string, { image, defaultImage }: { image?: string; defaultImage: string }) {
    await seedProject(database, projectId);
    if (image) {
      const settings = { ...defaultProjectSettings, image };
      await database.update(projects).set({ settings }).where(eq(projects.id, projectId));
    }
    const openRepository = async () => ({ log: async () => [] });
    const agents = { permissions: { rules: [] } };
    const dependencies = { database, memory, defaultImage, openRepository, agents } as unknown as Dependencies;
    const run = {
      owner: { kind: 'project' as const, id: projectId },
      sessionId: `${projectId}-s1`,
      runId: 'run',
      role: 'code' as const,
      maxTurns: 9,
    };
    const planned = await describeProject(dependencies, run);
    const session = await describeSession(dependencies, run);
    return [planned.instructions.network, session.instructions.environment];
  }

  test.each<[string, { image?: string; defaultImage: string }]>([
    ['of the project', { image: 'golang:1.25', defaultImage: 'longhaul-sandbox:1' }],
    ['that SANDBOX_IMAGE names', { defaultImage: 'golang:1.25' }],
  ])('with an image %s agents are told not to count on our programs', async (_, images) => {
    for (const told of await describeRun(`project-${images.image ? 'own' : 'set'}-image`, images)) {
      expect(told).toContain('Its image is `golang:1.25`');
      expect(told).not.toMatch(/pytest|Node/);
    }
  });

  test('agents are told what our image has', async () => {
    for (const told of await describeRun('project-our-image', { defaultImage: 'longhaul-sandbox:1' })) {
      expect(told).toContain('Python 3 with pytest, and Node with npm');
    }
  });
});

describe('recall for a session', () => {
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
      skillsFolder: '/nowhere',
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
    expect(task?.content.text).toMatch(
      /that may matter here\s+Longhaul could not read its memories when this run began/,
    );
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
});
