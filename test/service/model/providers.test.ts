import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ProjectHandle } from '../../../client/index.ts';
import { call, smallProject, writes } from '../../support/stack/scripts.ts';
import { type ServiceStack, startServiceStack } from '../../support/stack/service-stack.ts';
import { startCase, untilCompleted } from '../../support/stack/side-by-side.ts';

const feature = {
  name: 'note',
  work: [
    { ...call('list_files'), reasoning: 'I look before I write.' },
    { ...writes('note'), reasoning: 'There is nothing yet.' },
  ],
};
const features = [feature];
const review = { role: 'reviewer', turns: [call('approve_work', { summary: 'The note is right.' })] };
let stack: ServiceStack;

beforeAll(async () => {
  stack = await startServiceStack({
    script: { entries: [...smallProject(features).entries, review] },
    environment: (model) => ({
      LONGHAUL_OPENAI_API: 'responses',
      ANTHROPIC_BASE_URL: model.url.replace(/\/v1$/, ''),
      ANTHROPIC_API_KEY: 'scripted-model',
      OLLAMA_BASE_URL: 'http://127.0.0.1:9/v1', // nothing listens there
      LONGHAUL_MODEL_PLANNER: 'anthropic/scripted-planner',
    }),
  });
});
afterAll(() => stack?.stop());

async function done(name: string, settings: { model?: string; models?: Record<string, string> }) {
  const { project } = await startCase(stack, name, { features, settings });
  await untilCompleted(project);
  return project;
}

/** The models that a run asked, each once. */
async function askedBy(project: ProjectHandle, run: string): Promise<string[]> {
  const { usage } = await project.transcript(run);
  return [...new Set(usage.map(({ model }) => model))];
}

test("OpenAI's reasoning survives the transcript", async () => {
  const project = await done('by-responses', { models: { planner: 'openai/scripted' } });
  expect(await askedBy(project, 's1-work')).toEqual(['openai/scripted']);
  const { messages } = await project.transcript('s1-work');
  expect(messages.filter(({ content }) => content.carried?.provider === 'openai-responses')).toHaveLength(2);
});

test("Anthropic's signed thinking survives the transcript", async () => {
  const project = await done('by-anthropic', { model: 'anthropic/scripted' });
  expect(await askedBy(project, 's1-work')).toEqual(['anthropic/scripted']);
  const { messages } = await project.transcript('s1-work');
  expect(messages.filter(({ content }) => content.carried?.provider === 'anthropic')).toHaveLength(2);
});

test('a project waits no longer once another model is named', async () => {
  const project = await done('by-fallback', { models: { code: 'ollama/gone, anthropic/scripted' } });
  expect(await askedBy(project, 's1-work')).toEqual(['ollama/gone', 'anthropic/scripted']);
});

test('a role uses the model that the environment or the project names', async () => {
  const project = await done('by-role', { models: { code: 'anthropic/scripted-coder' } });
  expect(await askedBy(project, 's1-plan')).toEqual(['anthropic/scripted-planner']);
  expect(await askedBy(project, 's1-work')).toEqual(['anthropic/scripted-coder']);
});

test('with a second provider, its model reviews the work', async () => {
  const project = await done('by-second', {});
  expect(await askedBy(project, 's1-work')).toEqual(['openai/scripted']);
  expect(await askedBy(project, 's1-review')).toEqual(['anthropic/claude-sonnet-5']);
});
