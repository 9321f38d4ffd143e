import { homedir } from 'node:os';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connectLonghaul, type Longhaul, type ProjectEvent } from '../../client/index.ts';
import { setProjectStatus } from '../../db/project/projects.ts';
import { runCli } from '../cli/run.ts';
import { type OwnPostgres, startOwnPostgres } from '../support/servers/own-postgres.ts';
import { commits, seedProject } from './seed-project.ts';

let postgres: OwnPostgres;
let longhaul: Longhaul;
const id = 'project-spend-aaaaaa';

beforeAll(async () => {
  postgres = await startOwnPostgres();
  await seedProject(postgres.database, id);
  // The stack's state file names the database; nothing names a Temporal server.
  longhaul = await connectLonghaul({ environment: { LONGHAUL_HOME: postgres.home } });
});
afterAll(async () => {
  await longhaul?.close();
  await postgres?.stop();
});

const run = (...parameters: string[]) => runCli(parameters, { environment: { LONGHAUL_HOME: postgres.home } });

test('a project reads as its worker wrote it', async () => {
  const project = await longhaul.project('spend-aaaaaa');
  expect(project.id).toBe(id);
  expect(await project.status()).toMatchObject({
    status: 'ACTIVE',
    features: { total: 2, PASSING: 1, NOT_STARTED: 1 },
    current: null,
    sessions: 1,
  });
  expect(await project.sessions()).toMatchObject([
    { number: 1, feature: 'entries', status: 'PASSED', commit: commits.entries, filesChanged: ['spend.py'] },
  ]);
  expect((await project.checkpoints()).map(({ title }) => title)).toEqual(['plan', 'entries']);
  expect(await project.decisions()).toMatchObject([{ title: 'Amounts are whole cents' }]);
});

test('every command shows the project, as JSON for programs too', async () => {
  for (const [command, text] of [
    ['list', id],
    ['status', '1 passing, 1 not started (of 2)'],
    ['features', 'report'],
    ['log', 'checkpoint c1: entries at bbbbbbbb'],
    ['decisions', 'Floats are not exact.'],
    ['sessions', 'PASSED'],
    ['checkpoints', 'c0  aaaaaaaa'],
    ['report', '# spend-aaaaaa'],
  ] as const) {
    const parameters = command === 'sessions' ? [command, id] : [command]; // without a project it lists chats
    expect(await run(...parameters)).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(text) });
    const { stdout } = await run(...parameters, '--json');
    const documents = command === 'log' ? stdout.trim().split('\n') : [stdout];
    for (const document of documents) expect(() => JSON.parse(document)).not.toThrow();
  }
});

test('the chosen project is named on stderr, not in the output', async () => {
  const { stdout, stderr } = await run('status', '--json');
  expect(stderr).toBe(`Project: ${id}\n`);
  expect(JSON.parse(stdout)).toMatchObject({ id });
});

test.each([
  ['an unknown project', ['status', 'nope'], 'No project has the id or name "nope". There are: project-spend-aaaaaa.'],
  [
    'an unknown checkpoint',
    ['revert', id, 'c9', '--yes'],
    `"c9" is not a checkpoint of "${id}". Its checkpoints: c0 (`,
  ],
  ['an unknown feature', ['session', id, '--feature', 'nope'], 'has no feature "nope". Its features: entries, report.'],
  ['an unknown run', ['transcript', 's9-work', id], `No run of ${id} is called "s9-work". There are none yet.`],
])('%s', async (_, parameters, message) => {
  expect(await run(...parameters)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(message) });
});

test('a folder of another project is refused', async () => {
  expect(await run('start', 'Another program', '--dir', `/tmp/${id}`)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining(`belongs to the project "${id}", which is ACTIVE. Choose another with --dir`),
  });
});

test("a folder with a person's own keys is refused before anything starts", async () => {
  expect(await run('start', 'A program', '--dir', `${homedir()}/.ssh/app`)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("can't be a project's folder: it is in"),
  });
});

test('without Temporal the error has no stack trace and comes at once', async () => {
  const environment = { LONGHAUL_HOME: postgres.home, TEMPORAL_ADDRESS: '127.0.0.1:1' };
  const { exitCode, stderr } = await runCli(['pause', id], { environment });
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/^Expected a Temporal server at 127\.0\.0\.1:1, but none answers .*longhaul up -d/);
});

test('following loses and doubles nothing while Postgres is killed and restarted', async () => {
  const followed = 'project-followed-bbbbbb';
  await seedProject(postgres.database, followed);
  const project = await longhaul.project(followed);
  const controller = new AbortController();
  const seen: ProjectEvent[] = [];
  const troubles: string[] = [];
  const following = project.follow(
    (event) => {
      seen.push(event);
      if (event.data.type === 'project.changed' && event.data.status === 'WAITING') controller.abort();
    },
    { signal: controller.signal, onTrouble: (trouble) => troubles.push(trouble ? 'away' : 'back') },
  );
  await setProjectStatus(postgres.database, followed, 'PAUSED', 'before');
  postgres.kill();
  await eventually(async () => void (await project.status())); // a read first, to see that Postgres is back
  await eventually(() => setProjectStatus(postgres.database, followed, 'ACTIVE'));
  await eventually(() => setProjectStatus(postgres.database, followed, 'WAITING', 'after'));
  await following;
  expect(seen.map(({ number }) => number)).toEqual(seen.map((_, index) => index + 1));
  expect(
    seen
      .map(({ data }) => (data.type === 'project.changed' ? data.status : ''))
      .filter(Boolean)
      .slice(-3),
  ).toEqual(['PAUSED', 'ACTIVE', 'WAITING']);
});

async function eventually(work: () => Promise<void>): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries > 2_000) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
