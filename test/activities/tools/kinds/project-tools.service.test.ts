import { beforeAll, expect, test } from '@jest/globals';
import { createProjectTools } from '../../../../activities/tools/kinds/project-tools.ts';
import { fence } from '../../../../agents/fence.ts';
import { seedProject } from '../../../client/seed-project.ts';
import { databaseOfFile } from '../../../support/servers/test-database.ts';

const postgres = await databaseOfFile();
const started: Array<{ id: string; goal: string; name?: string | undefined }> = [];
let tools: ReturnType<typeof createProjectTools>;

beforeAll(async () => {
  await seedProject(postgres.database, 'project-spend-aaaaaa');
  tools = createProjectTools({
    database: postgres.database,
    encrypts: false,
    async startProject(request) {
      started.push(request);
      return request.goal === 'too much' ? 'The project could not begin.' : undefined;
    },
  });
});

const { signal } = new AbortController();
const context = (id: string) => ({
  run: { owner: { kind: 'chat' as const, id: 'chat-a' }, runId: 'chat-a-r1', role: 'chat' as const, maxTurns: 15 },
  id,
  cancel: signal,
  detach: signal,
});

test('a retried call starts one project, and two calls start two', async () => {
  const goal = 'A list of what I spend.';
  await tools.start_project({ goal }, context('chat-a-r1.1.0'));
  await tools.start_project({ goal }, context('chat-a-r1.1.0'));
  await tools.start_project({ goal, name: 'Été & Co' }, context('chat-a-r1.2.0'));
  const [first, again, other] = started.map(({ id }) => id);
  expect(first).toMatch(/^project-a-list-of-what-i-[0-9a-f]{8}$/);
  expect(again).toBe(first);
  expect(other).toMatch(/^project-ete-co-[0-9a-f]{8}$/);
  expect(await tools.start_project({ goal: 'too much' }, context('chat-a-r1.3.0'))).toEqual({
    failed: true,
    text: 'The project could not begin.',
  });
});

test("a project's status is shown, and an unknown project is an error", async () => {
  const listed = await tools.list_projects({}, context('l'));
  expect(listed.text).toBe(fence('projects', 'project-spend-aaaaaa (ACTIVE): Keep track of what I spend.'));
  expect((await tools.list_projects({ status: 'FAILED' }, context('l'))).text).toBe('There are no such projects.');
  const { text } = await tools.get_project({ project: 'spend' }, context('g'));
  expect(text).toContain('project-spend-aaaaaa: ACTIVE');
  expect(text).toContain('Features, 1 of 2 passing:\n- entries (PASSING)\n- report (NOT_STARTED)');
  expect(text).toContain('Latest notes:\n- ');
  expect(await tools.get_project({ project: 'nope' }, context('g'))).toMatchObject({ failed: true });
});

test('where what goes through Temporal is encrypted, the id of a project says nothing of its goal', async () => {
  const startProject = async (request: { id: string; goal: string }) => void started.push(request);
  const encrypting = createProjectTools({
    database: postgres.database,
    encrypts: true,
    startProject: startProject as never,
  });
  await encrypting.start_project({ goal: 'A zebra shop' }, context('chat-a-r1.9.0'));
  expect(started.at(-1)?.id).toMatch(/^project-[0-9a-f]{8}$/);
});
