import { beforeAll, describe, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { connectLonghaul } from '../../../client/index.ts';
import { setBudget } from '../../../db/budget/set-budget.ts';
import { addToOwner } from '../../../db/events/add-to-owner.ts';
import { readEvents } from '../../../db/events/read-events.ts';
import { claimFeature } from '../../../db/features/claim-feature.ts';
import { setProjectStatus } from '../../../db/project/projects.ts';
import { projects } from '../../../db/schema/projects.ts';
import { runs } from '../../../db/schema/runs.ts';
import { usage } from '../../../db/schema/usage.ts';
import { seedProject } from '../../client/seed-project.ts';
import { homeOfFile } from '../../support/servers/home-of-file.ts';
import { runCli } from '../run.ts';

const { database, environment } = await homeOfFile();

describe('longhaul log', () => {
  const id = 'project-long-aaaaaa';

  const run = (...parameters: string[]) => runCli(parameters, { environment });

  test('the log shows the last lines asked for, and all by default', async () => {
    await seedProject(database, id);
    const told = Array.from({ length: 1100 }, (_, index) => ({
      type: 'budget.warned' as const,
      limit: `limit ${index}`,
      text: `warning ${index}`,
    }));
    await addToOwner(database, { kind: 'project', id: id }, { events: told });
    await setProjectStatus(database, id, 'ABANDONED');
    const longhaul = await connectLonghaul({ environment });
    const project = await longhaul.project(id);
    const [latest] = await project.log({ limit: 1 });
    const count = latest?.number ?? 0;
    expect(count).toBeGreaterThan(1100);
    const numbersOf = async (...parameters: string[]) => {
      const { stdout } = await run('log', id, '--json', ...parameters);
      return stdout
        .split('\n')
        .filter(Boolean)
        .map((line): number => JSON.parse(line).number);
    };
    const all = Array.from({ length: count }, (_, index) => index + 1);
    expect(await numbersOf()).toEqual(all);
    expect(await numbersOf('-f')).toEqual(all);
    expect(await numbersOf('-n', '1050')).toEqual(all.slice(-1050));
    expect(await numbersOf('-n', '0')).toEqual([]);
    expect((await run('log', id)).stdout).toContain('warning 0\n');
    expect((await project.log()).map(({ number }) => number)).toEqual(all.slice(-1000));
    expect((await project.log({ after: 2, limit: 2 })).map(({ number }) => number)).toEqual([3, 4]);
    await longhaul.close();
  });

  test('an event without a line does not count as a line', async () => {
    const other = 'project-quiet-bbbbbb';
    await seedProject(database, other);
    const told = [0, 1, 2].flatMap((index) => [
      { type: 'budget.warned' as const, limit: 'project usd', text: `warning ${index}` },
      ...Array.from({ length: 300 }, () => ({
        type: 'progress.logged' as const,
        action: 'plan',
        outcome: 'Told already.',
      })),
    ]);
    await addToOwner(database, { kind: 'project', id: other }, { events: told });
    await setProjectStatus(database, other, 'ABANDONED');
    const linesOf = async (...parameters: string[]) => {
      const { stdout } = await run('log', other, ...parameters);
      return stdout.split('\n').filter(Boolean);
    };
    const all = await linesOf();
    expect(all.at(-2)).toContain('warning 2');
    for (const count of [1, 2, 4, all.length, 9999]) {
      expect(await linesOf('-n', String(count))).toEqual(all.slice(-count));
    }
    expect(await linesOf('-n', '0')).toEqual([]);
  });

  test('the first lines of a log show results with their calls', async () => {
    const third = 'project-calls-cccccc';
    await seedProject(database, third);
    const run = `${third}-s1-work`;
    const call = { tool: 'run_command', preview: 'python3 -m pytest' };
    const completed = { type: 'tool.result' as const, run, turn: 1, tool: 'run_command', failed: false };
    await addToOwner(
      database,
      { kind: 'project', id: third },
      {
        events: [
          {
            type: 'assistant.message',
            run,
            turn: 1,
            text: '',
            tools: [call, call],
            inputTokens: 1,
            outputTokens: 1,
            durationMs: 1,
          },
          ...[0, 1].map((position) => ({ ...completed, position, preview: 'exit 0, 0.8 s' })),
        ],
      },
    );
    await setProjectStatus(database, third, 'ABANDONED');
    const { stdout } = await runCli(['log', third, '-n', '2'], { environment });
    expect(stdout).toMatch(/^\S+ +✓ run_command python3 -m pytest → exit 0, 0\.8 s\n.*project ABANDONED/);
  });
});

describe('a spent budget', () => {
  const projectId = 'project-spend-aaaaaa';

  beforeAll(async () => {
    await seedProject(database, projectId);
    const runId = `${projectId}-s1-work`;
    await database.insert(runs).values({ id: runId, projectId, role: 'code', model: 'm', status: 'RUNNING', turns: 2 });
    for (const turn of [1, 2])
      await database
        .insert(usage)
        .values({ runId, turn, model: 'm', inputTokens: 90, outputTokens: 10, durationMs: 1 });
    await setProjectStatus(database, projectId, 'PAUSED', 'The budget is spent.');
  });

  const run = (...parameters: string[]) => runCli(parameters, { environment });
  const next = `\`longhaul budget ${projectId}\` raises the limit (--usd, --tokens, --turns or --minutes with a number or none; --per session or run). Then the project continues; if it does not, \`longhaul resume ${projectId}\` continues it.\n`;

  test.each([
    [{ limits: { turns: 2 } }, { turns: null }, "The project's budget of 2 turns is spent (2 turns). "],
    [{ limits: { usd: 5 } }, { usd: null }, "The project's budget is in dollars, but the cost of 2 turns is unknown"],
    [{ scope: 'run', limits: { tokens: 150 } } as const, { tokens: null }, "The run's budget of 150 tokens is spent "],
  ])('a resume with %j over a spent budget is refused', async (budget, none, why) => {
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
    const warnings = async () =>
      (await readEvents(database, projectId)).flatMap(({ data }) => (data.type === 'budget.warned' ? [data.text] : []));
    const before = await warnings();
    await setBudget(database, { projectId, scope, limits: { tokens: 240 } });
    await setBudget(database, { projectId, scope, limits: { turns: 10 } }); // the warning about tokens is not repeated
    expect((await warnings()).slice(before.length)).toEqual([
      `200 tokens of the ${scope}'s budget of 240 tokens are used`,
    ]);
    await setBudget(database, { projectId, scope, limits: { tokens: null, turns: null } });
  });

  test('a session paused during its verification needs no budget to continue', async () => {
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
    await database.update(runs).set({ status: 'FINISHED', endedAt: new Date() }).where(eq(runs.id, runId));
    expect((await run('status', 'twice')).stdout).toContain('attempt 1, verification (s2)');
  });
});
