import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from '@jest/globals';
import type { ProjectHandle } from '../../client/index.ts';
import { packageRoot } from '../../config/package-root.ts';
import { imageTag } from '../../sandbox/image/image-tag.ts';
import { runCli } from '../cli/run.ts';
import { createTestsInOrder } from '../support/in-order.ts';
import { untilAnswered } from '../support/stack/moments.ts';
import { smallProject } from '../support/stack/scripts.ts';
import { type ServiceStack, startServiceStack } from '../support/stack/service-stack.ts';
import { expectCompleted, startCase } from '../support/stack/side-by-side.ts';

const features = [{ name: 'note' }];
const factory = join(packageRoot(), 'examples', 'own-provider', 'fetch-provider.ts');
const rule = 'Our house rule: write for {{turns}} turns, no more.';
let folder: string;
let stack: ServiceStack;

function writeSettings(modelUrl: string, coder: string): string {
  const file = join(folder, 'longhaul.config.ts');
  writeFileSync(
    file,
    `import { defineConfig } from 'longhaul/config';
import { createFetchProvider } from ${JSON.stringify(factory)};
export default defineConfig({
  providers: [createFetchProvider({ name: 'mine', baseUrl: '${modelUrl}', headers: true })],
  models: { default: 'mine/scripted', code: ['mine/${coder}'] },
  modelSettings: { code: { reasoningEffort: 'low' } },
  maxTurns: { code: 33, planner: 7 },
  prompts: 'prompts',
});`,
  );
  return file;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'longhaul-settings-'));
  writeSettings('http://127.0.0.1:9/v1', 'unused');
  const environment = { LONGHAUL_HOME: folder };
  expect(await runCli(['prompts', 'eject', 'code'], { environment, folder })).toMatchObject({ exitCode: 0 });
  appendFileSync(join(folder, 'prompts', 'code.md'), `\n${rule}\n`);
  stack = await startServiceStack({
    containers: true,
    script: smallProject(features),
    environment: (model) => ({
      LONGHAUL_CONFIG: writeSettings(model.url, 'scripted-coder'),
      OPENAI_BASE_URL: '',
      OPENAI_API_KEY: '',
      LONGHAUL_MODEL: '',
    }),
  });
});
afterAll(async () => {
  await stack?.stop();
  rmSync(folder, { recursive: true });
});

/** What the runs of a project's first session used, once the agent was answered. */
async function runsOf(project: ProjectHandle) {
  await untilAnswered(project, 's1-work', 1);
  const runs = await Promise.all(['s1-plan', 's1-work'].map((run) => project.transcript(run)));
  const [plan, work] = runs.map(({ usage, messages }) => ({
    models: [...new Set(usage.map(({ model }) => model))],
    instructions: messages[0]?.content.text ?? '',
  }));
  return { plan, work };
}

const later = `longhaul-test-later:${randomUUID()}`;
const inOrder = createTestsInOrder();
let byFile: ProjectHandle;

inOrder('a session waits for a missing image', async () => {
  const started = await startCase(stack, 'by-file', { features, settings: { image: later } });
  byFile = started.project;
  expect(await byFile.waitForEnd({ orRest: true })).toMatchObject({
    status: 'WAITING',
    reason: expect.stringMatching(
      /^The session on "note" could not continue: .*longhaul-test-later.* `resume` tries again/,
    ),
  });
  execFileSync('docker', ['tag', process.env.SANDBOX_IMAGE ?? (await imageTag(packageRoot())), later]);
  try {
    await byFile.resume();
    await expectCompleted(started, ['note 1 PASSED']);
  } finally {
    execFileSync('docker', ['rmi', later]);
  }
});

inOrder("a run uses the settings file's provider, prompts and turns", async () => {
  const { plan, work } = await runsOf(byFile);
  expect(plan).toMatchObject({ models: ['mine/scripted'], instructions: expect.stringContaining('You have 7 turns.') });
  expect(work).toMatchObject({
    models: ['mine/scripted-coder'],
    instructions: expect.stringContaining('Our house rule: write for 33 turns, no more.'),
  });
});

inOrder("a project's settings and, after a restart, the file's take effect", async () => {
  writeSettings(stack.model.url, 'scripted-again');
  await stack.restartWorker();
  const settings = { maxTurns: 9, models: { planner: 'mine/scripted-planner' } };
  const { project } = await startCase(stack, 'by-project', { features, settings });
  const { plan, work } = await runsOf(project);
  expect(plan).toMatchObject({ models: ['mine/scripted-planner'], instructions: expect.stringContaining('7 turns') });
  expect(work).toMatchObject({
    models: ['mine/scripted-again'],
    instructions: expect.stringContaining('Our house rule: write for 9 turns, no more.'),
  });
  await project.abandon();
  await project.waitForEnd();
  const environment = { ...stack.environment };
  const { stdout } = await runCli(['models', 'by-project', '--no-check'], { environment, folder });
  expect(stdout).toMatch(/^planner +mine\/scripted-planner +\(project\) 7 turns \(file\)$/m);
  expect(stdout).toMatch(/^code +mine\/scripted-again +\(file\) effort low \(file\), 9 turns \(project\)$/m);
});
