import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { addDecision } from '../../db/project/decisions.ts';
import { inProject } from '../../db/project/project-transaction.ts';
import { addVerification } from '../../db/project/verifications.ts';
import { runs } from '../../db/schema/runs.ts';
import { seedProject } from '../client/seed-project.ts';
import { createGitFixture, type GitFixture, nextCommit } from '../git/git-fixture.ts';
import { homeOfFile } from '../support/servers/home-of-file.ts';
import { runCli } from './run.ts';

const id = 'project-spend-cccccc';
const ui = 'http://127.0.0.1:8233';

const postgres = await homeOfFile();
let fixture: GitFixture;
/** The project's folder. */
let folder: string;
/** The folder in which commands are run. */
let here: string;

beforeAll(async () => {
  fixture = await createGitFixture();
  here = mkdtempSync(join(tmpdir(), 'longhaul-cli-'));
  const { repository, head: plan } = await fixture.project({ 'init.sh': 'true\n' });
  folder = repository.folder;
  const entries = await nextCommit(repository, plan, { 'spend.py': 'print("spent")\n' });
  await repository.moveBranch(plan, entries);
  await seedProject(postgres.database, id, folder, { plan, entries });
});
afterAll(async () => {
  await fixture?.remove();
  if (here) rmSync(here, { recursive: true });
});

/** No Temporal server answers; only the address of its UI is known. */
const environment = () => ({
  ...postgres.environment,
  TEMPORAL_ADDRESS: '127.0.0.1:1',
  TEMPORAL_UI_URL: ui,
});
const run = (...parameters: string[]) => runCli(parameters, { environment: environment(), folder: here });
const answer = (typed: string, ...parameters: string[]) =>
  runCli(parameters, { environment: environment(), folder: here, typed });

const verification = { steps: [], protectedPaths: [], sealed: [] };

test('the evidence of a feature shows its commands with their ends and outputs, as they are and spoiled', async () => {
  const step = { description: 'It spends.', passed: true, outcome: 'exited', exitCode: 0, durationMs: 7 };
  await addVerification(postgres.database, {
    id: `${id}-s1-v1`,
    projectId: id,
    sessionId: `${id}-s1`,
    feature: { id: `${id}/entries`, name: 'entries', description: 'd', verification },
    commit: 'c'.repeat(40),
    image: null,
    purpose: 'session',
    passed: true,
    reason: '2 of 2 verification steps passed.',
    steps: [
      {
        ...step,
        command: 'sh check.sh',
        output: 'one\ntwo\n',
        spoiled: { files: ['check.sh'], outcome: 'exited', exitCode: 1, output: '' },
      },
      {
        ...step,
        command: 'sealed',
        output: '',
        sealed: { command: 'pytest', output: '1 passed, 1 skipped in 0.1s\n' },
      },
    ],
    mutants: { tried: 2, noticed: 1, missed: ['a.py:3: a + b → a - b'] },
  });
  for (const order of [
    ['entries', id],
    [id, 'entries'],
  ]) {
    const { exitCode, stdout } = await run('evidence', ...order);
    expect(exitCode).toBe(0);
    expect(stdout.split('\n').slice(1).join('\n')).toBe(`  ✓ It spends. (exit code 0, 7 ms)
    $ sh check.sh
    one
    two
    with spoiled checks in check.sh: exit code 1
  ✓ It spends. (sealed, exit code 0, 1 test ran, 1 skipped, 7 ms)
    $ pytest
    1 passed, 1 skipped in 0.1s
  1 of 2 mistakes in the changed lines were noticed
    not noticed: a.py:3: a + b → a - b
`);
    expect(stdout).toMatch(/^project-spend-cccccc-s1-v1 {2}cccccccc {2}.* {2}passed\n/);
  }
  expect(await run('evidence', 'nothing', id)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('has no feature "nothing"'),
  });
});

test("a checkpoint's diff is what its session changed, and applies", async () => {
  const { exitCode, stdout, stderr } = await run('diff', 'c1', id);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toContain('+++ b/spend.py\n@@ -0,0 +1 @@\n+print("spent")\n');
  expect(stdout).not.toContain('init.sh');
  const elsewhere = await fixture.folder();
  await fixture.git(elsewhere, ['apply'], stdout);
  expect(readFileSync(join(elsewhere, 'spend.py'), 'utf8')).toBe('print("spent")\n');

  expect((await run('diff', `${id}/c1`, '--stat')).stdout).toMatch(/spend\.py \| +1 \+/);
  expect(JSON.parse((await run('diff', 'c1', id, '--json')).stdout)).toMatchObject({
    checkpoint: { id: `${id}/c1` },
    previous: { id: `${id}/c0` },
    files: [{ path: 'spend.py', change: 'added' }],
  });
});

test('a project may be named first, as in `revert`', async () => {
  expect(await run('diff', id, 'c1')).toEqual(await run('diff', 'c1', id));
  const work = { id: `${id}-s1-work`, projectId: id, role: 'code' as const, model: 'm', status: 'FINISHED' as const };
  await postgres.database.insert(runs).values(work);
  const { stdout, exitCode } = await run('transcript', 'spend-cccccc', 's1-work');
  expect([exitCode, stdout]).toEqual([0, (await run('transcript', 's1-work', id)).stdout]);
  expect(stdout).toContain(`${id}-s1-work`);
  const { stderr } = await run('diff', 'c1', 'nothing');
  expect(stderr).toContain('No project has the id or name "nothing".');
});

test('the first checkpoint has a diff', async () => {
  expect((await run('diff', 'c0', id)).stdout).toContain('+++ b/init.sh');
});

test('the report goes to the named file only', async () => {
  const file = join(here, 'report.md');
  expect(await run('report', id, '-o', 'report.md')).toEqual({
    exitCode: 0,
    stdout: '',
    stderr: `Wrote ${file}.\n`,
  });
  const told = (text: string) => text.replace(/^- begun .*$/m, ''); // the time taken so far, which differs
  expect(told(readFileSync(file, 'utf8'))).toBe(told((await run('report', id)).stdout));
  expect(readFileSync(file, 'utf8')).toMatch(/^# spend-cccccc\n/);
});

test('a report is safe on a terminal and exact in a file', async () => {
  const choice = 'Copy \u001b]52;c;cm0gLXJm\u0007 this.';
  await inProject(postgres.database, id, (transaction) =>
    addDecision(transaction, {
      ...{ id: `${id}-escape`, sessionId: `${id}-s1`, title: 'Escapes' },
      ...{ context: 'None.', choice, reasoning: 'None.', tags: [] },
    }),
  );
  const looked = await answer('', 'report', id);
  expect(looked).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Copy ␛]52;c;cm0gLXJm␇ this.') });
  expect(looked.stdout).not.toContain('\u001b');
  expect((await run('report', id)).stdout).toContain(choice);
  const { decisions } = JSON.parse((await answer('', 'report', id, '--json')).stdout);
  expect(decisions.at(-1)).toMatchObject({ choice });
});

test('the checks of a feature are shown, and replaced by a file unless it passes by them', async () => {
  const file = join(here, 'checks.json');
  const checks = {
    steps: [{ description: 'It reports.', command: 'sh report.sh' }],
    protectedPaths: ['report.sh'],
    sealed: [{ requirement: 'It sums.', command: 'sh s.sh', files: [{ path: 's.sh', content: 'true\n' }] }],
  };
  writeFileSync(file, JSON.stringify(checks));
  expect(await run('checks', 'entries', id, '--from', file)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('The feature "entries" is PASSING, so its checks cannot be changed.'),
  });
  expect(await run('checks', 'report', id, '--from', file)).toMatchObject({
    exitCode: 0,
    stdout: [
      'It reports.',
      '  $ sh report.sh',
      'Protected: report.sh',
      'Sealed: It sums.',
      '  No value is written out beside a result here, so work that reads this check could answer it. ' +
        'Write one: `assert f(2) == 4`, `[ "$(./f 2)" = 4 ]`.',
      '  $ sh s.sh',
      '  s.sh',
      '    true',
      '',
    ].join('\n'),
  });
  expect(JSON.parse((await run('checks', 'report', id, '--json')).stdout)).toEqual(checks);
  writeFileSync(file, JSON.stringify({ ...checks, steps: [] }));
  expect(await run('checks', 'report', id, '--from', file)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('steps: '),
  });
});

test('evidence is exported to a file, and what is no evidence is not verified', async () => {
  const file = join(here, 'evidence.json');
  expect(await run('evidence', 'export', id, '--output', file)).toMatchObject({
    exitCode: 0,
    stderr: `Wrote ${file}.\n`,
  });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ format: 'longhaul-evidence-1', project: { id } });
  writeFileSync(file, '{ "format": "other" }');
  for (const [given, complaint] of [
    [file, 'to be as `longhaul evidence export` writes it: format: '],
    [join(here, 'none.json'), 'Write it with `longhaul evidence export`'],
  ] as const)
    expect(await run('verify', folder, '--evidence', given)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(complaint),
    });
});

test("the browser opens the project's workflow, and only with a screen", async () => {
  const address = `${ui}/namespaces/default/workflows/${id}`;
  const bin = join(here, 'bin');
  const opened = join(here, 'opened');
  mkdirSync(bin);
  for (const opener of ['xdg-open', 'open']) {
    writeFileSync(join(bin, opener), `#!/bin/sh\nprintf '%s' "$1" > '${opened}'\n`);
    chmodSync(join(bin, opener), 0o755);
  }
  const { PATH } = process.env;
  process.env.PATH = `${bin}:${PATH}`;
  try {
    expect(await run('open', id)).toMatchObject({ exitCode: 0, stdout: `${address}\n` });
    if (process.platform !== 'darwin') expect(existsSync(opened)).toBe(false);
    const onScreen = { environment: { ...environment(), DISPLAY: ':0' }, folder: here };
    expect(JSON.parse((await runCli(['open', id, '--json'], onScreen)).stdout)).toEqual({ url: address });
    await runCli(['open', id], onScreen);
    expect(readFileSync(opened, 'utf8')).toBe(address);
  } finally {
    process.env.PATH = PATH;
  }
});

test("a revert asks before it moves a person's changes", async () => {
  writeFileSync(join(folder, 'mine.txt'), 'a person wrote this\n');
  const question = `${folder} has uncommitted changes.`;
  expect(await run('revert', id, 'c0')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/there is no terminal to ask on\. Commit them, or pass --yes/),
  });
  for (const typed of ['n\n', '\n', 'what?\n']) {
    expect(await answer(typed, 'revert', id, 'c0')).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining(question),
      stderr: 'Nothing was changed.\n',
    });
  }
  // At Ctrl-C, as a terminal types it.
  expect(await answer('\u0003', 'revert', id, 'c0')).toMatchObject({
    exitCode: 130,
    stderr: 'Nothing was changed.\n',
  });
  // After a yes the project is called, whose server does not answer.
  const { stdout, stderr } = await answer('y\n', 'revert', id, 'c0');
  expect(stdout).toContain(question);
  expect(stderr).toMatch(/^Expected a Temporal server at 127\.0\.0\.1:1/);
  rmSync(join(folder, 'mine.txt'));
  expect((await answer('n\n', 'revert', id, 'c0')).stdout).not.toContain('not committed');
});
