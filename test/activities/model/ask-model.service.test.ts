import { expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { projects } from '../../../db/schema/projects.ts';
import { ModelError } from '../../../domain/model/model-error.ts';
import type { ModelProvider } from '../../../domain/model/model-provider.ts';
import { defaultProjectSettings, type ProjectSettings } from '../../../domain/project/settings.ts';
import { createModels } from '../../../models/create-models.ts';
import { seedProject } from '../../client/seed-project.ts';
import { databaseOfFile } from '../../support/servers/test-database.ts';
import { beginRunOfTurns } from '../../support/work/run-of-turns.ts';

const { database } = await databaseOfFile();
let count = 0;

/** A run that began with `old/x`, of a project of these settings; `gone` are the providers that have no model any more. */
async function runOf(options: {
  settings?: Partial<ProjectSettings>;
  namesNow?: string;
  gone: string[];
  contextWindows?: Record<string, { value: number }>;
}) {
  count += 1;
  const { settings, namesNow, gone, contextWindows } = options;
  const projectId = `project-names-${count}`;
  await seedProject(database, projectId);
  await database
    .update(projects)
    .set({ settings: { ...defaultProjectSettings, ...settings } })
    .where(eq(projects.id, projectId));
  const asked: string[] = [];
  const provider = (name: string): ModelProvider => ({
    name,
    async complete({ model }) {
      asked.push(`${name}/${model}`);
      if (gone.includes(name)) throw new ModelError('No such model.', { code: 'ModelNotFound' });
      return { text: 'Well.', toolCalls: [], finish: 'done', usage: null, firstTokenMs: 1, requestId: null };
    },
  });
  const models = createModels({
    providers: {},
    own: ['old', 'new', 'other'].map(provider),
    ...(contextWindows && { contextWindows }),
  });
  const names = 'old/x';
  const run = await beginRunOfTurns({ database, models, projectId, runId: `${projectId}-work`, names, namesNow });
  return { ...run, asked };
}

test('a run whose model is gone uses the one named at a resume', async () => {
  const { callModel, compactRun, asked } = await runOf({ namesNow: 'new/y', gone: ['old'] });
  await callModel(1);
  expect(asked).toEqual(['old/x', 'new/y']);
  asked.length = 0;
  await compactRun(2, 2);
  expect(asked).toEqual(['new/y']); // which the summarizer has too
});

test("a project's own models are used, and a run keeps its model", async () => {
  const named = await runOf({ settings: { model: 'new/y' }, namesNow: 'other/z', gone: ['old', 'new'] });
  await expect(named.callModel(1)).rejects.toMatchObject({ type: 'ModelNotFound', nonRetryable: true });
  expect(named.asked).toEqual(['old/x', 'new/y']);
  const sound = await runOf({ namesNow: 'new/y', gone: [] });
  await sound.callModel(1);
  expect(sound.asked).toEqual(['old/x']);
  // Nor is its conversation shortened for a model that it does not need.
  const small = await runOf({
    namesNow: 'new/y',
    gone: [],
    contextWindows: { 'old/x': { value: 100_000 }, 'new/y': { value: 10 } },
  });
  expect(await small.callModel(1)).not.toHaveProperty('compact');
  expect(small.asked).toEqual(['old/x']);
});
