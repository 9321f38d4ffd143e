import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { execa } from 'execa';
import { retryableFailure, terminalFailure } from '../../activities/failures.ts';
import { packageRoot } from '../../config/package-root.ts';
import { createAgentRun } from '../../db/agent-runs/agent-runs.ts';
import { readWaits } from '../../db/agent-runs/read-waits.ts';
import { addEvents } from '../../db/events/add-to-owner.ts';
import { readEvents } from '../../db/events/read-events.ts';
import { createProject } from '../../db/project/projects.ts';
import { defaultAgentRunLimits } from '../../domain/agent-run/run-request.ts';
import { defaultProjectSettings } from '../../domain/project/settings.ts';
import { createDelayReporter, failureNaming } from '../../workers/failure-interceptors.ts';
import { databaseOfFile } from '../support/servers/test-database.ts';
import { inActivity } from '../support/work/in-activity.ts';

const { database } = await databaseOfFile();

const locked = retryableFailure('RepositoryBusy', 'The repository is locked by index.lock.');

/** Lets the attempts of an activity fail, and returns what who follows the project is told of it. */
async function toldOf(projectId: string, failure: Error, attempts: number[], named = projectId) {
  const place = { folder: `/tmp/${projectId}`, branch: 'main', settings: defaultProjectSettings };
  await createProject(database, { id: projectId, name: projectId, goal: 'g', ...place });
  for (const attempt of attempts) {
    const info = { attempt };
    const telling = createDelayReporter(database, { info } as Parameters<typeof createDelayReporter>[1]);
    const executing = inActivity(
      async () => telling.execute?.({ args: [{ projectId: named }], headers: {} }, () => Promise.reject(failure)),
      { info },
    );
    await expect(executing).rejects.toBe(failure);
  }
  const events = await readEvents(database, projectId);
  return events.map(({ data }) => data).filter(({ type }) => type === 'work.delayed');
}

test('a lock in the way of a step is reported once', async () => {
  expect(await toldOf('project-locked', locked, [1, 2])).toEqual([]);
  expect(await toldOf('project-locked-long', locked, [1, 2, 3, 4, 5])).toEqual([
    { type: 'work.delayed', reason: 'The repository is locked by index.lock.' },
  ]);
});

test('a run says what it waits for until it goes on', async () => {
  const id = 'run-delayed';
  await createAgentRun(database, {
    ...{ id, agent: 'slow', version: '1', kind: 'declared', queue: 'none', status: 'RUNNING', input: [], metadata: {} },
    ...{ limits: defaultAgentRunLimits, maxRetries: 0, backoffMs: 1000, priority: 3 },
  });
  const owner = { kind: 'run' as const, id };
  const unreachable = retryableFailure('ModelUnreachable', 'http://127.0.0.1:9 cannot be reached.');
  const info = { attempt: 3 };
  const telling = createDelayReporter(database, { info } as Parameters<typeof createDelayReporter>[1]);
  const executing = inActivity(
    async () => telling.execute?.({ args: [{ owner, runId: id }], headers: {} }, () => Promise.reject(unreachable)),
    { info },
  );
  await expect(executing).rejects.toBe(unreachable);
  expect((await readWaits(database, [id])).get(id)).toBe('its next try: http://127.0.0.1:9 cannot be reached.');
  await addEvents(database, owner, [{ type: 'state.checkpoint', number: 1 }]);
  expect((await readWaits(database, [id])).get(id)).toBeUndefined();
});

test('a failure that ends a step is not reported as a delay', async () => {
  expect(await toldOf('project-refused', terminalFailure('InvalidInput', 'No.'), [3])).toEqual([]);
});

test('a step of an unknown project fails with its own reason', async () => {
  expect(await toldOf('project-there', locked, [3], 'project-not-there')).toEqual([]);
});

test('no secret goes into history with a result, a failure or its causes', async () => {
  const token = `ghp_${'a1B2'.repeat(9)}`;
  const execute = (next: () => Promise<unknown>) => failureNaming.execute?.({ args: [], headers: {} }, next);
  expect(await execute(async () => ({ preview: `it says ${token}`, list: [token] }))).toEqual({
    preview: 'it says [removed: a GitHub token]',
    list: ['[removed: a GitHub token]'],
  });
  const failing = Promise.resolve(
    execute(() => Promise.reject(terminalFailure('InvalidInput', token, { cause: new Error(`no ${token}`) }))),
  );
  const failure = (await failing.catch((error: Error) => error)) as Error;
  const cause = failure.cause as Error;
  expect([failure.message, cause.message]).toEqual(['[removed: a GitHub token]', 'no [removed: a GitHub token]']);
  expect(`${failure.stack}${cause.stack}`).not.toContain(token);
});

const home = mkdtempSync(join(tmpdir(), 'longhaul-worker-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

test('a worker in a container reads the environment file of its data folder', async () => {
  writeFileSync(join(home, '.env'), 'FROM_FILE=seen\nFROM_BOTH=file\n');
  writeFileSync(
    join(home, 'longhaul.config.mjs'),
    'throw new Error(JSON.stringify([process.env.FROM_FILE, process.env.FROM_BOTH]));',
  );
  const program = join(packageRoot(), 'dist', 'workers', 'main.js');
  const run = (...parameters: string[]) =>
    execa(process.execPath, [program, ...parameters], {
      env: { LONGHAUL_HOME: home, FROM_BOTH: 'environment', NODE_OPTIONS: '' },
      reject: false,
    });
  expect(await run('--env-file')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('["seen","environment"]'),
  });
  // A worker started by `longhaul up` gets its variables from there and does not read the file.
  expect(await run()).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('[null,"environment"]') });
});

test('a worker that cannot start says why in words, without a stack', async () => {
  const program = join(packageRoot(), 'dist', 'workers', 'main.js');
  const environment = { LONGHAUL_HOME: home, NODE_OPTIONS: '', LONGHAUL_SEARCH: 'nowhere' };
  writeFileSync(join(home, 'longhaul.config.mjs'), 'export default {};');
  const { exitCode, stderr } = await execa(process.execPath, [program], { env: environment, reject: false });
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/LONGHAUL_SEARCH/);
  expect(stderr).not.toMatch(/^ +at /m);
});
