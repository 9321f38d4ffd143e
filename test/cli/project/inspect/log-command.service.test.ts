import { expect, test } from '@jest/globals';
import { connectLonghaul } from '../../../../client/index.ts';
import { addToOwner } from '../../../../db/events/add-to-owner.ts';
import { setProjectStatus } from '../../../../db/project/projects.ts';
import { seedProject } from '../../../client/seed-project.ts';
import { ownPostgresOfFile } from '../../../support/servers/own-postgres.ts';
import { runCli } from '../../run.ts';

const postgres = await ownPostgresOfFile();
const environment = { LONGHAUL_HOME: postgres.home };
const id = 'project-long-aaaaaa';

const run = (...parameters: string[]) => runCli(parameters, { environment });

test('the log shows the last lines asked for, and all by default', async () => {
  await seedProject(postgres.database, id);
  const told = Array.from({ length: 1100 }, (_, index) => ({
    type: 'budget-warned' as const,
    text: `warning ${index}`,
  }));
  await addToOwner(postgres.database, { kind: 'project', id: id }, { events: told });
  await setProjectStatus(postgres.database, id, 'ABANDONED');
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
  await seedProject(postgres.database, other);
  const told = [0, 1, 2].flatMap((index) => [
    { type: 'budget-warned' as const, text: `warning ${index}` },
    ...Array.from({ length: 300 }, () => ({
      type: 'progress-logged' as const,
      action: 'plan',
      outcome: 'Told already.',
    })),
  ]);
  await addToOwner(postgres.database, { kind: 'project', id: other }, { events: told });
  await setProjectStatus(postgres.database, other, 'ABANDONED');
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
  await seedProject(postgres.database, third);
  const run = `${third}-s1-work`;
  const call = { tool: 'run_command', preview: 'python3 -m pytest' };
  const completed = { type: 'tool-completed' as const, run, turn: 1, tool: 'run_command', failed: false };
  await addToOwner(
    postgres.database,
    { kind: 'project', id: third },
    {
      events: [
        {
          type: 'turn-completed',
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
  await setProjectStatus(postgres.database, third, 'ABANDONED');
  const { stdout } = await runCli(['log', third, '-n', '2'], { environment });
  expect(stdout).toMatch(/^\S+ +✓ run_command python3 -m pytest → exit 0, 0\.8 s\n.*project ABANDONED/);
});
