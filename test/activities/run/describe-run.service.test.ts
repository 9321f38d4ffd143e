import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import type { Dependencies } from '../../../activities/dependencies.ts';
import { describeProject } from '../../../activities/run/describe-project.ts';
import { describeSession } from '../../../activities/run/describe-session.ts';
import { type MemoryStore, openMemoryStore } from '../../../db/memory/memory-store.ts';
import { projects } from '../../../db/schema/projects.ts';
import { defaultProjectSettings } from '../../../domain/project/settings.ts';
import { seedProject } from '../../client/seed-project.ts';
import { databaseOfFile } from '../../support/servers/test-database.ts';

const { database } = await databaseOfFile();
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
