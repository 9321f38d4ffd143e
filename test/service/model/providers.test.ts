import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ProjectHandle } from '../../../client/index.ts';
import { untilAnswered } from '../../support/stack/moments.ts';
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

async function start(name: string, settings: { model?: string; models?: Record<string, string> }) {
  const { project } = await startCase(stack, name, { features, settings });
  return project;
}

/** The models that a run asked, each once. */
async function askedBy(project: ProjectHandle, run: string): Promise<string[]> {
  const { usage } = await project.transcript(run);
  return [...new Set(usage.map(({ model }) => model))];
}

/** How many of a run's messages carry what this provider wants back. */
async function carriedFor(project: ProjectHandle, provider: string): Promise<number> {
  const { messages } = await project.transcript('s1-work');
  return messages.filter(({ content }) => content.carried?.provider === provider).length;
}

test("OpenAI's reasoning survives the transcript; the planner uses the environment's model, the reviewer that of a second provider", async () => {
  const project = await start('by-openai', {});
  await untilCompleted(project);
  expect(await askedBy(project, 's1-plan')).toEqual(['anthropic/scripted-planner']);
  expect(await askedBy(project, 's1-work')).toEqual(['openai/scripted']);
  expect(await carriedFor(project, 'openai-responses')).toBe(2);
  expect(await askedBy(project, 's1-review')).toEqual(['anthropic/claude-sonnet-5']);
});

test("Anthropic's signed thinking survives the transcript; roles use the project's models, and the next one if one is away", async () => {
  const models = { code: 'ollama/gone, anthropic/scripted-coder' };
  const project = await start('by-anthropic', { model: 'anthropic/scripted', models });
  await untilAnswered(project, 's1-work', 2);
  expect(await askedBy(project, 's1-plan')).toEqual(['anthropic/scripted']);
  expect(await askedBy(project, 's1-work')).toEqual(['ollama/gone', 'anthropic/scripted-coder']);
  expect(await carriedFor(project, 'anthropic')).toBe(2);
});
