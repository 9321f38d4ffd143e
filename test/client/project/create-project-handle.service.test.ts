import { expect, test } from '@jest/globals';
import { createProjectHandle } from '../../../client/project/create-project-handle.ts';
import { createMemoryEventBus } from '../../../db/bus/memory-event-bus.ts';
import { findProject } from '../../../db/project/projects.ts';
import type { ProjectSettings } from '../../../domain/project/settings.ts';
import { databaseOfFile } from '../../support/servers/test-database.ts';
import { seedProject } from '../seed-project.ts';

const { database } = await databaseOfFile();

/** A project at work, and its settings as they were each time that its workflow was told something. */
async function handleOf(id: string) {
  await seedProject(database, id);
  const told: Array<ProjectSettings | undefined> = [];
  const close = async () => {};
  const project = createProjectHandle(
    {
      database: { openBus: createMemoryEventBus, use: (work) => work(database), close },
      temporal: {
        async use() {
          told.push((await findProject(database, id))?.settings);
          return undefined as never; // of a signal nothing is answered
        },
        close,
      },
      taskQueue: 'none',
    },
    id,
  );
  return { project, told };
}

test('a project whose model is gone can name another before it continues', async () => {
  const { project, told } = await handleOf('project-named');
  await project.resume({ model: 'openai/gpt-5', models: { code: 'ollama/qwen3', planner: 'openai/gpt-5-mini' } });
  await project.resume({ models: { code: 'vllm/qwen3' } });
  await project.resume();
  expect(told).toMatchObject([
    { model: 'openai/gpt-5', models: { code: 'ollama/qwen3', planner: 'openai/gpt-5-mini' } },
    { model: 'openai/gpt-5', models: { code: 'vllm/qwen3', planner: 'openai/gpt-5-mini' } },
    { model: 'openai/gpt-5', models: { code: 'vllm/qwen3', planner: 'openai/gpt-5-mini' }, maxAttempts: 3 },
  ]);
});

test('a model without a name and an unknown role are refused', async () => {
  const { project, told } = await handleOf('project-misnamed');
  await expect(project.resume({ model: '' })).rejects.toThrow('Expected the name of a model');
  await expect(project.resume({ models: { cook: 'openai/gpt-5' } })).rejects.toThrow('Expected a role in cook=');
  expect(told).toEqual([]);
  expect((await project.settings()).models).toBeUndefined();
});

test('a feature is named by its name, its id or the start of it', async () => {
  const { project } = await handleOf('project-features');
  for (const name of ['entries', 'project-features/entries', 'ent'])
    expect((await project.checks(name)).steps).toMatchObject([{ command: 'true' }]);
  await expect(project.checks('e2')).rejects.toThrow('has no feature "e2". Its features: entries, report.');
  await expect(project.evidence('project-features/')).rejects.toThrow(
    'matches 2 features: entries, report. Use an id.',
  );
});
