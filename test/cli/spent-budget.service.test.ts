import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { setBudget } from '../../db/budget/set-budget.ts';
import { readEvents } from '../../db/events/read-events.ts';
import { claimFeature } from '../../db/project/claim-feature.ts';
import { setProjectStatus } from '../../db/project/projects.ts';
import { projects } from '../../db/schema/projects.ts';
import { runs } from '../../db/schema/runs.ts';
import { usage } from '../../db/schema/usage.ts';
import { seedProject } from '../client/seed-project.ts';
import { type OwnPostgres, startOwnPostgres } from '../support/servers/own-postgres.ts';
import { runCli } from './run.ts';

const projectId = 'project-spend-aaaaaa';
let postgres: OwnPostgres;

beforeAll(async () => {
  postgres = await startOwnPostgres();
  const { database } = postgres;
  await seedProject(database, projectId);
  const runId = `${projectId}-s1-work`;
  await database.insert(runs).values({ id: runId, projectId, role: 'code', model: 'm', status: 'RUNNING', turns: 2 });
  for (const turn of [1, 2])
    await database.insert(usage).values({ runId, turn, model: 'm', inputTokens: 90, outputTokens: 10, durationMs: 1 });
  await setProjectStatus(database, projectId, 'PAUSED', 'The budget is spent.');
});
afterAll(() => postgres?.stop());

const run = (...parameters: string[]) => runCli(parameters, { environment: { LONGHAUL_HOME: postgres.home } });
const next = `\`longhaul budget ${projectId}\` raises the limit (--usd, --tokens, --turns or --minutes with a number or none; --per session or run). Then the project continues, or does so with \`longhaul resume ${projectId}\`.\n`;

test.each([
  [{ limits: { turns: 2 } }, { turns: null }, "The project's budget of 2 turns is spent (2 turns). "],
  [{ limits: { usd: 5 } }, { usd: null }, "The project's budget is in dollars, but the cost of 2 turns is unknown"],
  [{ scope: 'run', limits: { tokens: 150 } } as const, { tokens: null }, "The run's budget of 150 tokens is spent "],
])('a resume with %j over a spent budget is refused', async (budget, none, why) => {
  const { database } = postgres;
  await setBudget(database, { projectId, ...budget });
  const resumed = await run('resume', 'spend');
  expect(resumed).toMatchObject({ exitCode: 3, stdout: '' });
  expect(resumed.stderr.startsWith(`Not resumed. ${why}`)).toBe(true);
  expect(resumed.stderr.endsWith(next)).toBe(true);
  const { stdout } = await run('status', 'spend');
  expect(stdout).toContain(`\n\n${why}`);
  expect(stdout.endsWith(next)).toBe(true);

  await setBudget(database, { projectId, ...budget, limits: none });
  expect((await run('status', 'spend')).stdout).toContain(`\n\n\`longhaul resume ${projectId}\` continues.\n`);
  const { exitCode, stderr } = await run('resume', 'spend');
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('Temporal')]); // there is no server in this test
});

test.each(['project', 'run'] as const)('a %s budget that is nearly spent gets a warning', async (scope) => {
  const { database } = postgres;
  const warnings = async () =>
    (await readEvents(database, projectId)).flatMap(({ data }) => (data.type === 'budget-warned' ? [data.text] : []));
  const before = await warnings();
  await setBudget(database, { projectId, scope, limits: { tokens: 240 } });
  await setBudget(database, { projectId, scope, limits: { turns: 10 } }); // the warning about tokens is not repeated
  expect((await warnings()).slice(before.length)).toEqual([
    `200 tokens of the ${scope}'s budget of 240 tokens are used`,
  ]);
  await setBudget(database, { projectId, scope, limits: { tokens: null, turns: null } });
});

test('a session paused during its verification needs no budget to continue', async () => {
  const { database } = postgres;
  const sessionId = `${projectId}-s2`;
  await claimFeature(database, { projectId, sessionId, number: 2 });
  await setProjectStatus(database, projectId, 'PAUSED', 'Paused by a person.');
  await setBudget(database, { projectId, limits: { turns: 2 } });
  const work = { id: `${sessionId}-work`, projectId, sessionId, role: 'code' as const, model: 'm' };
  await database.insert(runs).values({ ...work, status: 'RUNNING' });
  await database
    .update(runs)
    .set({ status: 'FINISHED' })
    .where(eq(runs.id, `${projectId}-s1-work`));
  expect((await run('resume', 'spend')).exitCode).toBe(3);
  await database.update(runs).set({ status: 'FINISHED' }).where(eq(runs.id, work.id));
  expect((await run('status', 'spend')).stdout).toContain(`\n\n\`longhaul resume ${projectId}\` continues.\n`);
  expect((await run('resume', 'spend')).stderr).toContain('Temporal'); // there is no server in this test
});

test('minutes stop counting at the end', async () => {
  const { database } = postgres;
  const id = 'project-over-aaaaaa';
  await seedProject(database, id);
  await setProjectStatus(database, id, 'ABANDONED');
  const createdAt = new Date(Date.now() - 60 * 60_000);
  const endedAt = new Date(createdAt.getTime() + 90_000);
  await database.update(projects).set({ createdAt, endedAt }).where(eq(projects.id, id));
  const { spent } = JSON.parse((await run('budget', 'over', '--json')).stdout);
  expect(spent.minutes).toBe(1.5);
});

test('a spent budget is shown once, and one turn as one', async () => {
  const { database } = postgres;
  const id = 'project-twice-aaaaaa';
  await seedProject(database, id);
  const sessionId = `${id}-s2`;
  await claimFeature(database, { projectId: id, sessionId, number: 2 });
  const runId = `${sessionId}-work`;
  const work = { id: runId, projectId: id, sessionId, role: 'code' as const, model: 'm' };
  await database.insert(runs).values({ ...work, status: 'RUNNING', turns: 1 });
  await database.insert(usage).values({ runId, turn: 1, model: 'm', inputTokens: 9, outputTokens: 1, durationMs: 1 });
  await setBudget(database, { projectId: id, limits: { turns: 1 } });
  const why = "The project's budget of 1 turn is spent (1 turn)";
  await setProjectStatus(database, id, 'PAUSED', `${why}. Still to do: report.`);
  const { stdout } = await run('status', 'twice');
  expect(stdout.split(why)).toHaveLength(2);
  expect(stdout).toContain(`\n\n\`longhaul budget ${id}\` raises the limit`);
  expect(stdout).toContain('code after 1 turn (');
});
