import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ProjectHandle } from '../../../client/index.ts';
import type { ScriptInput } from '../../../testing/index.ts';
import { type RecordingProxy, startRecordingProxy } from '../../support/servers/recording-proxy.ts';
import { call, writes } from '../../support/stack/scripts.ts';
import { type ServiceStack, startServiceStack } from '../../support/stack/service-stack.ts';
import {
  expectCompleted,
  type ProjectCase,
  type StartedProject,
  scriptOf,
  startCases,
} from '../../support/stack/side-by-side.ts';
import { waitFor } from '../../support/wait-for.ts';

// What the agent itself writes fills a window of 128,000 tokens, or a request is refused as too long for an unknown window.
const tooLong = { kind: 'status', status: 400, message: 'prompt is too long: 200001 tokens > 200000 maximum' } as const;
const page = (name: string, characters: number) =>
  call('write_file', { path: `${name}.txt`, content: `${name}\n${'word '.repeat(characters / 5)}\n` });
const decision = call('record_decision', {
  title: 'Amounts are whole cents',
  context: 'Sums must be right to the last digit.',
  choice: 'Integers everywhere.',
  reasoning: 'Floats are not exact.',
  tags: ['money'],
});
const pages = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => page(`page-${from + index}`, 90_000));

const lengthy = {
  features: [
    {
      name: 'lengthy',
      work: [
        decision,
        call('log_progress', { note: 'The totals come last.' }),
        call('run_command', { command: 'echo 2 of 9 fail; exit 4' }),
        ...pages(1, 5),
        {
          ...page('page-6', 90_000),
          expect: [
            'The first pages are there.',
            '**Amounts are whole cents**: Integers everywhere.',
            'Context: Sums must be right to the last digit.',
            'The totals come last.',
            '`echo 2 of 9 fail; exit 4`',
            'Changed with the file tools: page-1.txt, page-2.txt',
            'lengthy.txt holds "lengthy".',
          ],
        },
        // More than the whole window.
        page('tome', 550_000),
        { ...writes('lengthy'), expect: ['A tome is there.', '2 of 9 fail', 'page-1.txt, page-2.txt', 'tome.txt'] },
      ],
    },
  ],
} satisfies ProjectCase;

/** It does not fit, and goes on once the summarizer has a key. */
const stuck = {
  features: [
    {
      name: 'stuck',
      work: [
        page('draft', 20_000),
        { ...writes('stuck'), misbehave: tooLong },
        { ...call('git_log'), expect: ['What stuck came to.', 'Changed with the file tools: draft.txt.'] },
      ],
    },
  ],
} satisfies ProjectCase;

const cases = { lengthy, stuck };

const summarizers: ScriptInput['entries'] = [
  {
    feature: 'lengthy',
    turns: [
      { text: 'The first pages are there.', expect: ['calls record_decision', 'lengthy.txt holds "lengthy".'] },
      { text: 'A tome is there.', expect: ['The first pages are there.', 'page-6', 'characters left out'] },
    ],
  },
  { feature: 'stuck', turns: [{ text: 'What stuck came to.' }] },
].map((entry) => ({ role: 'summarizer', ...entry }));

let stack: ServiceStack;
let proxy: RecordingProxy;
let started: Record<keyof typeof cases, StartedProject>;

beforeAll(async () => {
  const { entries } = scriptOf(cases);
  stack = await startServiceStack({
    script: { entries: [...entries, ...summarizers] },
    commands: [{ match: 'exit 4', result: { output: '2 of 9 fail\n', exitCode: 4 } }],
    environment: async (model) => {
      proxy = await startRecordingProxy(model.url);
      return { OPENAI_BASE_URL: proxy.url };
    },
  });
  const noKey = { kind: 'status', status: 401, message: 'No such key.' } as const;
  stack.model.misbehave(noKey, { match: { feature: 'stuck', role: 'summarizer' } });
  started = await startCases(stack, cases);
});
afterAll(async () => {
  await stack?.stop();
  await proxy?.close();
});

async function compactionsOf(project: ProjectHandle) {
  const events = await project.log({ limit: 10_000 });
  return events.flatMap(({ data }) => (data.type === 'context.compacted' ? [data] : []));
}

/** The number of answers by the summarizer, which is what a provider bills. */
function summariesPaid(project: ProjectHandle): number {
  return stack.model
    .requests()
    .filter((one) => one.project === project.id && one.role === 'summarizer' && one.outcome === 'answered').length;
}

interface WireMessage {
  role: string;
  content: string;
  tool_calls?: Array<{ id: string }>;
  tool_call_id?: string;
}

const messagesIn = (body: string) => (JSON.parse(body) as { messages: WireMessage[] }).messages;

test('a conversation that fills the window continues with its task, decisions, notes, problems and files', async () => {
  const { project } = await expectCompleted(started.lengthy, ['lengthy 1 PASSED']);
  const made = await compactionsOf(project);
  expect(made).toHaveLength(2);
  for (const { tokensBefore, tokensAfter, failure } of made) {
    expect(failure).toBeUndefined();
    expect(tokensAfter).toBeLessThan(0.5 * tokensBefore);
  }
});

test('the beginning of a request is the same between two compactions', async () => {
  const { project } = await expectCompleted(started.lengthy, ['lengthy 1 PASSED']);
  const bodies = proxy.requests(`${project.id}-s1-work`, 'code').map(({ body }) => body);
  expect(bodies.length).toBeGreaterThan(9);
  const made = (await compactionsOf(project)).map(({ turn }) => turn);
  for (const [index, next] of bodies.slice(1).entries()) {
    const previous = bodies[index] ?? '';
    const turn = index + 2;
    // All messages sent before, up to the end of their list.
    const known = previous.lastIndexOf('],"tools"');
    const common = commonPrefix(previous, next);
    if (!made.includes(turn)) expect({ turn, common }).toEqual({ turn, common: known });
    // After a compaction too, the instructions and the task stay where they are.
    else expect(common).toBeGreaterThanOrEqual(next.indexOf('\\n\\n# Your conversation so far, summarized'));
  }
});

test('a request keeps call and result together and alternates its roles', async () => {
  const { project } = await expectCompleted(started.lengthy, ['lengthy 1 PASSED']);
  for (const { body } of proxy.requests(`${project.id}-s1-work`, 'code')) {
    const messages = messagesIn(body);
    const asked = messages.flatMap(({ tool_calls: calls }) => calls?.map(({ id }) => id) ?? []);
    expect(messages.flatMap(({ tool_call_id: id }) => id ?? [])).toEqual(asked);
    const roles = messages.map(({ role }) => role).join(' ');
    expect(roles).toMatch(/^system user( assistant tool)*$/);
  }
});

test('the transcript keeps summarized messages and shows the summary', async () => {
  const { project } = await expectCompleted(started.lengthy, ['lengthy 1 PASSED']);
  const { messages, summaries, usage } = await project.transcript('s1-work');
  expect(messages.map(({ number }) => number)).toEqual(messages.map((_, index) => index));
  const written = messages.flatMap(({ content }) => content.toolCalls ?? []);
  expect(written.filter(({ name }) => name === 'write_file')).toHaveLength(8);
  expect(summaries.map((one) => one.written)).toEqual(['The first pages are there.', 'A tome is there.']);
  expect(summaries[0]?.shown).toContain('The first pages are there.');
  const paid = usage.filter(({ summaryUpTo }) => summaryUpTo >= 0);
  expect(paid.map(({ summaryUpTo }) => summaryUpTo)).toEqual(summaries.map(({ upToMessage }) => upToMessage));
  expect(summariesPaid(project)).toBe(2);
  // Summary calls count towards the budgets of the run and the project.
  const all = usage.reduce((sum, one) => sum + (one.inputTokens ?? 0) + (one.outputTokens ?? 0), 0);
  expect((await project.sessions())[0]?.tokens).toBeGreaterThan(all);
  expect(paid.every(({ inputTokens }) => (inputTokens ?? 0) > 10_000)).toBe(true);
});

test('a refused key of the summarizer pauses the project, and a worker that dies during the summary loses nothing', async () => {
  const { project } = started.stuck;
  expect(await project.waitForEnd({ orRest: true })).toEqual({
    status: 'WAITING',
    reason: expect.stringMatching(
      /The code agent could not continue: openai at [\d.:]+ answered: 401 No such key\. .*then resume/,
    ),
  });
  expect(await project.features()).toMatchObject([{ status: 'IN_PROGRESS' }]);
  stack.model.behave();
  stack.model.misbehave({ kind: 'delay', milliseconds: 10_000 }, { match: { role: 'summarizer' } });
  const asked = () => stack.model.requests().filter(({ role }) => role === 'summarizer').length;
  const before = asked();
  await project.resume();
  await waitFor('the summarizer to be asked', () => asked() > before);
  await stack.restartWorker();
  await expectCompleted(started.stuck, ['stuck 1 PASSED']);
  expect(await compactionsOf(project)).toMatchObject([{ run: `${project.id}-s1-work` }]);
  expect(summariesPaid(project)).toBe(1);
  expect((await project.transcript('s1-work')).summaries).toHaveLength(1);
});

function commonPrefix(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}
