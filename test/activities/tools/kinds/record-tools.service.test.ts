import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Dependencies } from '../../../../activities/dependencies.ts';
import { recallFor } from '../../../../activities/memory/memory.ts';
import { createEndingTools } from '../../../../activities/tools/kinds/ending-tools.ts';
import { createMemoryTools } from '../../../../activities/tools/kinds/memory-tools.ts';
import { createNoteTools } from '../../../../activities/tools/kinds/note-tools.ts';
import { createProjectTools } from '../../../../activities/tools/kinds/project-tools.ts';
import { createTaskTools } from '../../../../activities/tools/kinds/task-tools.ts';
import type { ToolContext } from '../../../../activities/tools/tool.ts';
import { fence } from '../../../../agents/fence.ts';
import { createChat } from '../../../../db/chats/chats.ts';
import { deleteChat } from '../../../../db/chats/delete-chat.ts';
import { readFeatures } from '../../../../db/features/features.ts';
import { findProposal } from '../../../../db/features/plan.ts';
import { type MemoryStore, openMemoryStore } from '../../../../db/memory/memory-store.ts';
import { readDecisions } from '../../../../db/project/decisions.ts';
import { createProject } from '../../../../db/project/projects.ts';
import { listTasks } from '../../../../db/tasks/tasks.ts';
import { checkProposal } from '../../../../domain/project/proposal.ts';
import { defaultProjectSettings } from '../../../../domain/project/settings.ts';
import { openProjectRepository } from '../../../../git/repository/open-project-repository.ts';
import { seedProject } from '../../../client/seed-project.ts';
import { createGitFixture, type GitFixture, put } from '../../../git/git-fixture.ts';
import { databaseOfFile } from '../../../support/servers/test-database.ts';
import { proposal } from '../../../support/stack/scripts.ts';
import { inChat } from '../../../support/work/in-chat.ts';

const { database } = await databaseOfFile();

describe('project tools', () => {
  const projectId = 'project-spend-aaaaaa';
  const folder = mkdtempSync(join(tmpdir(), 'longhaul-memories-'));
  const started: Array<{ id: string; goal: string; name?: string | undefined }> = [];
  let memory: MemoryStore;

  beforeAll(async () => {
    await seedProject(database, projectId);
    memory = await openMemoryStore({ uri: folder });
  });
  afterAll(async () => {
    await memory?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function tools({ encrypts = false } = {}) {
    const startProject: Dependencies['startProject'] = async (request) => {
      started.push(request);
      return request.goal === 'too much' ? 'The project could not begin.' : undefined;
    };
    // What reaches a workflow is tested with one: test/service/chat and test/service/mcp.
    const projectMessages = {} as Dependencies['projectMessages'];
    return createProjectTools({ database, memory, encrypts, startProject, projectMessages });
  }

  test('a retried call starts one project, and two calls start two', async () => {
    const goal = 'A list of what I spend.';
    const { create_long_running_project: create } = tools();
    const first = inChat('a');
    await create({ goal }, first);
    await create({ goal }, first);
    await create({ goal, name: 'Été & Co' }, inChat('a'));
    const [id, again, other] = started.map((request) => request.id);
    expect(id).toMatch(/^project-a-list-of-what-i-[0-9a-f]{8}$/);
    expect(again).toBe(id);
    expect(other).toMatch(/^project-ete-co-[0-9a-f]{8}$/);
    expect(await create({ goal: 'too much' }, inChat('a'))).toEqual({
      failed: true,
      text: 'The project could not begin.',
    });
  });

  test("a project's status is shown, and an unknown project is an error", async () => {
    const { list_long_running_projects: list, get_project_status: get } = tools();
    const listed = await list({}, inChat('a'));
    expect(listed.text).toBe(fence('projects', `${projectId} (ACTIVE): Keep track of what I spend.`));
    expect((await list({ status: 'FAILED' }, inChat('a'))).text).toBe('There are no such projects.');
    const { text } = await get({ project: 'spend' }, inChat('a'));
    expect(text).toContain(`${projectId}: ACTIVE`);
    expect(text).toContain('1 of 2 features pass.');
    expect(text).toContain('Checkpoints:\n- c0: plan at aaaaaaaa\n- c1: entries at bbbbbbbb');
    expect(text).toContain('Latest notes:\n- ');
    expect(await get({ project: 'nope' }, inChat('a'))).toMatchObject({ failed: true });
  });

  test('where what goes through Temporal is encrypted, the id of a project says nothing of its goal', async () => {
    await tools({ encrypts: true }).create_long_running_project({ goal: 'A zebra shop' }, inChat('a'));
    expect(started.at(-1)?.id).toMatch(/^project-[0-9a-f]{8}$/);
  });

  test('the next feature is shown with how it is verified', async () => {
    const { text } = await tools().get_next_feature_to_work_on({ project: projectId }, inChat('a'));
    expect(text).toContain('- report (NOT_STARTED)\n  What report does.');
    expect(text).toContain('depends on: entries');
    expect(text).toContain('- It works.: true');
  });

  test('a feature is added once, and refused if its name is taken or what it depends on is missing', async () => {
    const { add_project_feature: add, list_project_features: list } = tools();
    const feature = {
      project: projectId,
      name: 'totals',
      description: 'Sums by month.',
      category: 'functional' as const,
      priority: 9,
      dependencies: ['entries'],
      verification: {
        steps: [{ description: 'It sums.', command: 'bash totals.sh' }],
        protected: [],
        sealed: [{ requirement: 'It sums by month.', command: 'bash secret.sh', files: [] }],
      },
    };
    const context = inChat('a');
    await add(feature, context);
    await add(feature, context);
    const { text, display } = await list({ project: projectId }, inChat('a'));
    expect(display).toBe('3 features');
    expect(text).toContain('- sealed: It sums by month.');
    expect(text).not.toContain('secret.sh');
    expect(await add({ ...feature, description: 'Another.' }, inChat('a'))).toMatchObject({
      failed: true,
      text: expect.stringContaining('a feature of this name'),
    });
    expect(await add({ ...feature, name: 'other', dependencies: ['nothing'] }, inChat('a'))).toMatchObject({
      failed: true,
      text: expect.stringContaining('depends on nothing'),
    });
  });

  test('a feature can be said to fail or to be blocked, with a reason, but never to pass', async () => {
    const { update_feature_status: update } = tools();
    const statusOf = async (name: string) =>
      (await readFeatures(database, projectId)).find((feature) => feature.name === name)?.status;
    const change = { project: projectId, feature: 'report' };
    expect(await update({ ...change, status: 'blocked' }, inChat('a'))).toMatchObject({ failed: true });
    await update({ ...change, status: 'blocked', reason: 'The bank has no API.' }, inChat('a'));
    expect(await statusOf('report')).toBe('BLOCKED');
    await update({ ...change, status: 'not_started' }, inChat('a'));
    expect(await statusOf('report')).toBe('NOT_STARTED');
    expect(await update({ ...change, status: 'failing', reason: 'It is not begun.' }, inChat('a'))).toEqual({
      failed: true,
      text: 'The feature "report" is NOT_STARTED and can be set to BLOCKED, not to FAILING.',
    });
    const passing = { project: projectId, feature: 'entries', status: 'passing' as const };
    expect((await update(passing, inChat('a'))).text).toContain('"entries" is PASSING already');
    await update({ ...passing, status: 'failing', reason: 'It loses cents.' }, inChat('a'));
    expect(await statusOf('entries')).toBe('FAILING');
  });

  test('the outcome of a decision is recorded once, shown, and recalled with the decision', async () => {
    const { record_project_decision: record, record_decision_outcome: judge, list_project_decisions: list } = tools();
    const decision = {
      title: 'Rounding',
      context: 'Sums differ.',
      choice: 'Round half up.',
      reasoning: 'Banks do.',
      tags: ['money'],
    };
    const recorded = inChat('a');
    await record({ project: projectId, ...decision }, recorded);
    const outcome = { project: projectId, decision: recorded.id, outcome: 'failure' as const, score: -0.5 };
    const lesson = 'Round half to even.';
    const judged = inChat('a');
    await judge({ ...outcome, lesson }, judged);
    await judge({ ...outcome, lesson }, judged);
    expect((await list({ project: projectId }, inChat('a'))).text).toContain(
      'outcome: failure (-0.5): Round half to even.',
    );
    const { own } = await recallFor({ database, memory }, projectId, 'rounding of sums', 3);
    expect(own.find(({ id }) => id === recorded.id)?.text).toContain('Outcome: failure (-0.5): Round half to even.');
    expect(await judge({ ...outcome, decision: 'nothing' }, inChat('a'))).toMatchObject({
      failed: true,
      text: expect.stringContaining('No decision has the id "nothing"'),
    });
  });

  test('a secret is stored neither as a note nor as a decision', async () => {
    const { log_project_progress: log, get_project_progress_log: read } = tools();
    const note = `The token is ghp_${'a1B2'.repeat(9)}`;
    expect(await log({ project: projectId, note }, inChat('a'))).toMatchObject({ failed: true });
    await log({ project: projectId, note: 'Read the bank files first.' }, inChat('a'));
    const { text } = await read({ project: projectId, limit: 2 }, inChat('a'));
    expect(text).toContain('note of a chat: Read the bank files first.');
    expect(text).not.toContain('ghp_');
  });
});

describe('ending tools', () => {
  let fixture: GitFixture;

  beforeAll(async () => {
    fixture = await createGitFixture();
  });
  afterAll(() => fixture?.remove());

  test('an initializer hears that a proposed file exists', async () => {
    const { repository } = await fixture.project({ 'README.md': 'mine\n', 'init.sh': 'make deps\n' });
    const { folder, branch } = repository;
    await put(folder, 'docs/new.md', 'not committed\n');
    const id = 'project-ending';
    await createProject(database, { id, name: id, goal: 'A file.', folder, branch, settings: defaultProjectSettings });
    const { propose_project: propose } = createEndingTools({
      database,
      agents: { steeringFiles: [], permissions: { rules: [], requests: { defaultAnswer: 'no' } } } as Partial<
        Dependencies['agents']
      > as Dependencies['agents'],
      openRepository: () => openProjectRepository({ folder, branch, environment: fixture.environment }),
    });
    const { signal } = new AbortController();
    const run = {
      owner: { kind: 'project' as const, id: id },
      runId: `${id}-init`,
      role: 'initializer' as const,
      maxTurns: 9,
    };
    const proposing = (content: string, path = 'README.md') => {
      const checked = checkProposal({ ...proposal([{ name: 'one' }]), files: [{ path, content }] });
      if (!('proposal' in checked)) throw new Error(checked.complaints.join());
      return propose(checked.proposal, { run, id: 'call', cancel: signal, detach: signal });
    };

    expect(await proposing('planned\n')).toEqual({
      failed: true,
      text: 'The proposal is invalid:\n- files: "README.md" exists in the repository; leave it out, since sessions can edit it, or choose another path',
    });
    expect(await proposing('planned\n', 'docs/new.md')).toMatchObject({
      text: expect.stringContaining('"docs/new.md" exists in the repository'),
    });
    expect(await findProposal(database, id)).toBeUndefined();
    expect(await proposing('mine\n')).toEqual({ text: '1 text files.' });
    expect(await findProposal(database, id)).toMatchObject({ summary: '1 text files.' });
  });
});

describe('note tools', () => {
  const projectId = 'project-notes';
  const folder = mkdtempSync(join(tmpdir(), 'longhaul-memories-'));
  let memory: MemoryStore;

  beforeAll(async () => {
    await seedProject(database, projectId);
    memory = await openMemoryStore({ uri: folder });
  });
  afterAll(async () => {
    await memory?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const decision = {
    title: 'Where uploads go',
    context: 'Files are large.',
    choice: 'An object store.',
    reasoning: 'Disks fill up.',
    tags: ['uploads'],
  };
  const context = (id: string) =>
    ({ id, run: { owner: { kind: 'project', id: projectId }, runId: undefined } }) as unknown as ToolContext;
  function tools() {
    const dependencies = { database, memory } as Dependencies;
    return { ...createNoteTools(dependencies), ...createMemoryTools(dependencies) };
  }

  test.each([
    ['title', `Use ghp_${'a1B2'.repeat(9)}`, 'a GitHub token'],
    ['context', 'It is read from\nAPI_KEY="abc123def456"', 'a password or key that is named as one'],
    ['choice', 'postgres://user:hunter2@host/db', 'a password in an address'],
    ['reasoning', `-----BEGIN ${'RSA '}PRIVATE KEY-----\nMIIabc\n-----END RSA PRIVATE KEY-----`, 'a private key'],
  ])('a secret in the %s of a decision is refused with advice', async (field, text, name) => {
    const before = (await readDecisions(database, projectId)).length;
    const result = await tools().record_decision({ ...decision, [field]: text }, context(`secret-${field}`));
    expect(result).toEqual({
      failed: true,
      text: `The decision seems to contain ${name} and was not recorded. Record it without the secret; name the place where the secret is stored.`,
    });
    expect(await readDecisions(database, projectId)).toHaveLength(before);
    expect(await memory.get([`secret-${field}`])).toEqual([]);
  });

  test('a retried decision is recorded once and recalled', async () => {
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      expect(await tools().record_decision(decision, context('decision-1'))).toEqual({
        text: 'Recorded: "Where uploads go".',
      });
    }
    expect((await readDecisions(database, projectId)).filter(({ id }) => id === 'decision-1')).toHaveLength(1);
    const { text } = await tools().search_memory({ query: 'where do uploads go?', limit: 5 }, context('search-1'));
    expect(text.match(/Choice: An object store\./g)).toHaveLength(1);
  });
});

describe('task tools', () => {
  let tools: ReturnType<typeof createTaskTools>;

  beforeAll(async () => {
    tools = createTaskTools({ database });
    for (const name of ['a', 'b']) await createChat(database, { id: `chat-${name}`, name });
  });

  async function create(name: string, title: string, more: { priority?: number; depends_on?: number[] } = {}) {
    const { text } = await tools.create_task({ title, ...more }, inChat(name));
    return Number(/task (\d+)/.exec(text)?.[1]);
  }

  test('a retried call creates its task once', async () => {
    const context = inChat('a');
    const first = await tools.create_task({ title: 'Once' }, context);
    expect(await tools.create_task({ title: 'Once' }, context)).toEqual(first);
    expect((await listTasks(database)).filter(({ title }) => title === 'Once')).toHaveLength(1);
  });

  test('a task waits for those that it depends on', async () => {
    const seeds = await create('a', 'Buy seeds');
    const sow = await create('a', 'Sow', { depends_on: [seeds] });
    expect(await tools.update_task_status({ task: sow, status: 'complete' }, inChat('a'))).toEqual({
      failed: true,
      text: `Task ${sow} depends on open tasks: ${seeds} (Buy seeds, not_started). Complete or cancel them first.`,
    });
    await tools.update_task_status({ task: seeds, status: 'complete', note: 'In the shed.' }, inChat('a'));
    expect((await tools.update_task_status({ task: sow, status: 'complete' }, inChat('a'))).text).toContain(
      'Sow (complete',
    );
    expect((await tools.get_task({ task: seeds }, inChat('a'))).text).toContain('Note: In the shed.');
    expect(await tools.create_task({ title: 'Water', depends_on: [999] }, inChat('a'))).toMatchObject({ failed: true });
    expect(await tools.get_task({ task: 999 }, inChat('a'))).toMatchObject({ failed: true });
  });

  test('tasks are sorted, limited to the chat unless asked, and outlive it', async () => {
    await create('b', 'Later', { priority: 1 });
    await create('b', 'Now', { priority: 9 });
    await create('a', 'Elsewhere', { priority: 10 });
    const titles = async (everywhere: boolean) =>
      [...(await tools.list_tasks({ all_sessions: everywhere }, inChat('b'))).text.matchAll(/\. (\w+) \(/g)].map(
        ([, title]) => title,
      );
    expect(await titles(false)).toEqual(['Now', 'Later']);
    expect((await titles(true)).slice(0, 2)).toEqual(['Elsewhere', 'Now']);
    expect(await tools.list_tasks({}, inChat('b'))).toMatchObject({ display: '2 tasks' });
    await tools.update_task_status({ task: await create('b', 'Once'), status: 'complete' }, inChat('b'));
    expect(await tools.list_tasks({ status: 'complete' }, inChat('b'))).toMatchObject({ display: '1 task' });
    await deleteChat(database, 'chat-b');
    expect(await titles(true)).toContain('Now');
  });
});
