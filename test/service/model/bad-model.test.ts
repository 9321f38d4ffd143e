import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { call, proposal, writes } from '../../support/stack/scripts.ts';
import { type ServiceStack, startServiceStack } from '../../support/stack/service-stack.ts';
import {
  expectCompleted,
  gitIn,
  type ProjectCase,
  type StartedProject,
  scriptOf,
  sessionsOf,
  startCases,
  toldTo,
} from '../../support/stack/side-by-side.ts';
import { waitFor } from '../../support/wait-for.ts';

const again = call('read_file', { path: 'init.sh' });

const status = (status: number, message = 'It failed.') => ({ kind: 'status', status, message }) as const;
const tooLong = status(400, 'prompt is too long: 200001 tokens > 200000 maximum');

const cases = {
  /** One session that gets through all of it. */
  clumsy: {
    features: [
      {
        name: 'clumsy',
        work: [
          call('run_command', { command: 'seq 1 2000' }),
          { ...call('read_output', { message: 3, offset: 4_000, limit: 20 }), misbehave: tooLong },
          {
            ...call('list_files'),
            expect: ['characters of this older result left out; read_output with message 3'],
            misbehave: status(404, 'No such model.'),
          },
          { ...call('git_log'), misbehave: status(401, 'No such key.') },
          { ...call('git_diff'), misbehave: { kind: 'rate-limit', retryAfterSeconds: 3 } },
          { ...call('list_files'), misbehave: status(500) },
          { ...call('git_log'), misbehave: { kind: 'cut-stream' } },
          { ...call('git_log'), misbehave: { kind: 'text-instead-of-call' } },
          { ...writes('clumsy'), misbehave: { kind: 'malformed-arguments' } },
          { ...writes('clumsy'), misbehave: { kind: 'wrong-arguments' } },
          { ...call('git_diff'), misbehave: { kind: 'unknown-tool' } },
          { ...call('git_log'), misbehave: { kind: 'truncated' } },
          { ...writes('clumsy'), misbehave: { kind: 'duplicate-ids' } },
          call('write_file', { path: '../etc/outside', content: 'x' }),
          call('read_file', { path: '/etc/passwd' }),
        ],
      },
    ],
  },
  /** Its attempts fail, and each next one reads why. That a run ends for these and other reasons is in test/workflows/agent/do-task.service.test.ts. */
  hopeless: {
    settings: { maxAttempts: 3 },
    features: [
      {
        name: 'hopeless',
        attempts: [
          [writes('hopeless')], // answers nothing until it is resumed
          [
            { ...again, expect: ['The agent answered 3 times without calling a tool.'] },
            ...[again, again, again, again, again],
          ],
          [
            {
              ...call('give_up', { reason: 'It is Monday.', learned: 'Tuesday is better.' }),
              expect: ['called read_file 3 times in a row'],
            },
          ],
        ],
      },
      { name: 'dependent', dependencies: ['hopeless'] },
    ],
  },
  impossible: {
    features: [
      {
        name: 'contradicted',
        attempts: [[call('cannot_be_done', { reason: 'It must be both.', evidence: 'Lines 1 and 2.' })]],
      },
      {
        name: 'unequipped',
        attempts: [[call('request_change', { path: 'init.sh', reason: 'It needs a tool.' })]],
      },
    ],
  },
} satisfies Record<string, ProjectCase>;

const [sound] = proposal([{ name: 'sound' }]).features;
const refused = {
  cycle: proposal([
    { name: 'hen', dependencies: ['egg'] },
    { name: 'egg', dependencies: ['hen'] },
  ]),
  unknown: proposal([{ name: 'hen', dependencies: ['rooster'] }]),
  unverified: {
    ...proposal([]),
    features: [{ ...sound, verification: { steps: [{ description: 'A look at it.' }] } }],
  },
};
const complaints = [
  'features: the dependencies form a cycle: hen -> egg -> hen',
  'feature "hen" depends on "rooster", which is not among the features',
  'feature "sound" has no verification step with a command; at least one step needs a command',
];
const initializer = {
  role: 'initializer',
  turns: [
    call('propose_project', refused.cycle),
    { ...call('propose_project', refused.unknown), expect: [complaints[0] as string] },
    {
      ...call('propose_project', refused.unverified),
      expect: [complaints[1] as string],
      misbehave: status(402, 'Pay first.'),
    },
  ],
};

let stack: ServiceStack;
let started: Record<keyof typeof cases, StartedProject>;

beforeAll(async () => {
  stack = await startServiceStack({
    script: { entries: [initializer, ...scriptOf(cases).entries] },
    commands: [
      {
        match: 'seq 1 2000',
        result: { output: Array.from({ length: 2_000 }, (_, index) => `${index + 1}\n`).join('') },
      },
    ],
  });
  stack.model.misbehave({ kind: 'empty-answer' }, { match: { feature: 'hopeless', role: 'code' }, times: 3 });
  started = await startCases(stack, cases);
});
afterAll(() => stack?.stop());

const asksOf = (run: string) => stack.model.requests().filter((request) => request.run === run);

test('a missing model or a refused key makes the project wait with the reason, and a resume repeats the turn', async () => {
  const { project } = started.clumsy;
  for (const said of ['404 No such model', '401 No such key']) {
    expect(await project.waitForEnd({ orRest: true })).toEqual({
      status: 'WAITING',
      reason: expect.stringMatching(
        `The code agent could not continue: openai at [\\d.:]+ answered: ${said}\\. .*then resume`,
      ),
    });
    expect(await project.features()).toMatchObject([{ status: 'IN_PROGRESS' }]);
    await project.resume();
  }
  await expectCompleted(started.clumsy, ['clumsy 1 PASSED']);
});

test('a turn is asked again after a failed call, but not once it is paid for, and is stored once', async () => {
  const { project } = started.clumsy;
  const run = `${project.id}-s1-work`;
  const asked = asksOf(run);
  expect(asked.slice(0, 13).map(({ turn, outcome }) => `${turn} ${outcome}`)).toEqual([
    '1 answered',
    ...[2, 3, 4, 5, 6, 7].flatMap((turn) => [`${turn} failed`, `${turn} answered`]),
  ]);
  const { usage, messages } = await project.transcript(run);
  expect(usage.slice(0, 13).map(({ turn, attempt, outcome }) => `${turn} ${attempt} ${outcome}`)).toEqual([
    '1 1 ANSWERED',
    '2 1 ModelContextTooLong',
    '2 1 ANSWERED',
    '3 1 ModelNotFound',
    '3 1 ANSWERED',
    '4 1 ModelAuthentication',
    '4 1 ANSWERED',
    '5 1 ModelRateLimited',
    '5 2 ANSWERED',
    '6 1 ModelServerError',
    '6 2 ANSWERED',
    '7 1 ModelUnreachable',
    '7 2 ANSWERED',
  ]);
  expect((await project.status()).cost).toMatchObject({ unknownCalls: 2 });
  const [first, second] = asked.filter(({ turn }) => turn === 5).map(({ at }) => Date.parse(at));
  expect((second ?? 0) - (first ?? 0)).toBeGreaterThan(2900); // Retry-After asked for 3 s; the retry policy alone would wait 1 s
  const turns = (await project.log()).flatMap(({ data }) =>
    data.type === 'assistant.message' && data.run === run ? [data.turn] : [],
  );
  expect(turns).toEqual(turns.map((_, index) => index + 1));
  expect(messages.filter((message) => message.role === 'assistant').map((message) => message.turn)).toEqual(turns);
});

test('a conversation that became too long continues with older output shortened, which can be read again', async () => {
  const { project } = started.clumsy;
  const told = await toldTo(project, 's1-work');
  expect(told[2]).toContain('\n1000\n'); // the transcript keeps all of it
  expect(told[3]).toMatch(/^[\d\s]{20}\n\[characters 4000 to 4020 of \d+\]$/);
});

test('a model that talks instead of calling a tool is corrected and continues', async () => {
  const { project } = started.clumsy;
  expect(await toldTo(project, 's1-work')).toContainEqual(expect.stringContaining('so nothing happened'));
});

test('arguments that are not JSON are answered with what came', async () => {
  const { project } = started.clumsy;
  expect(await toldTo(project, 's1-work')).toContainEqual(
    expect.stringMatching(/The arguments of write_file are not valid JSON: .*Got: \{"path"/s),
  );
});

test('wrong arguments are answered with what does not fit', async () => {
  const { project } = started.clumsy;
  expect(await toldTo(project, 's1-work')).toContainEqual(
    expect.stringMatching(/The arguments of write_file are invalid\. path: .*; content: /),
  );
});

test('an unknown tool is answered with those that there are', async () => {
  const { project } = started.clumsy;
  expect(await toldTo(project, 's1-work')).toContainEqual(
    expect.stringMatching(/There is no tool "summon_colleague"\. You have: list_files, .*finish/),
  );
});

test('a path outside the workspace is refused and the agent continues', async () => {
  const { project } = started.clumsy;
  const told = await toldTo(project, 's1-work');
  expect(told.filter((text) => /leads out of the workspace/.test(text))).toHaveLength(2);
  expect(told.join()).not.toContain('root:x:0');
});

test('an answer that was cut off is gone on with', async () => {
  const { project } = started.clumsy;
  const told = await toldTo(project, 's1-work');
  expect(told).toContainEqual(expect.stringContaining('cut off at the token limit'));
});

test('calls that share an id get one each, so that every result has its call', async () => {
  const { project } = started.clumsy;
  const { messages } = await project.transcript('s1-work');
  const asked = messages.flatMap(({ content }) => content.toolCalls?.map(({ id }) => id) ?? []);
  expect(new Set(asked).size).toBe(asked.length);
  expect(messages.flatMap(({ content }) => content.toolCallId ?? [])).toEqual(asked);
});

test('an attempt that fails says why, and the next one knows', async () => {
  const { project } = started.hopeless;
  await project.waitForEnd({ orRest: true });
  const reasons = (await project.sessions())
    .filter(({ feature }) => feature === 'hopeless')
    .map(({ reason }) => reason);
  expect(reasons).toEqual([
    'The agent answered 3 times without calling a tool.',
    expect.stringContaining('called read_file 3 times in a row'),
    'The agent gave up: It is Monday. Learned: Tuesday is better.',
  ]);
  expect((await toldTo(project, 's1-work')).filter((text) => text.includes('without calling a tool'))).toHaveLength(3);
  expect((await toldTo(project, 's2-work'))[5]).toMatch(
    /^You do not seem to be making progress\. The agent called read_file 3 times/,
  );
});

test('a feature that used up its attempts blocks those that depend on it, and a resume brings all back', async () => {
  const { project } = started.hopeless;
  expect(await project.waitForEnd({ orRest: true })).toEqual({
    status: 'WAITING',
    reason: expect.stringMatching(/"hopeless" is BLOCKED: 3 attempts did not pass; the last: .* `resume` gives/s),
  });
  expect(await project.features()).toMatchObject([
    { name: 'hopeless', status: 'BLOCKED', attempts: 3, blockedByDependency: false },
    { name: 'dependent', status: 'BLOCKED', blockedByDependency: true, reason: expect.stringContaining('"hopeless"') },
  ]);
  await project.resume();
  await waitFor('the feature to pass', async () => (await project.features())[0]?.status === 'PASSING');
  expect(await project.features()).toMatchObject([{ attempts: 0 }, { blockedByDependency: false }]);
  expect((await sessionsOf(project))[3]).toBe('hopeless 1 PASSED');
});

test('a feature that cannot be done, or not without a change, waits for a person, and the attempt does not count', async () => {
  const { project } = started.impossible;
  const why = 'The agent says that this cannot be done: It must be both. Evidence: Lines 1 and 2.';
  expect(await project.waitForEnd({ orRest: true })).toEqual({
    status: 'WAITING',
    reason: expect.stringContaining(`"contradicted" is BLOCKED: ${why}`),
  });
  expect(await project.features()).toMatchObject([
    { status: 'BLOCKED', attempts: 0, reason: why },
    {
      status: 'BLOCKED',
      attempts: 0,
      reason: expect.stringContaining(
        'The agent asks to change init.sh: It needs a tool. `longhaul checks unequipped --allow init.sh`',
      ),
    },
  ]);
  expect(await sessionsOf(project)).toEqual(['contradicted 1 FAILED', 'unequipped 1 FAILED']);
});

test('a proposal refused three times fails the project with the complaint, and nothing half-made remains', async () => {
  const folder = join(stack.home, 'projects', 'unplannable');
  const project = await stack.longhaul.startProject({ goal: 'Which was first?', name: 'unplannable', folder });
  expect(await project.waitForEnd({ orRest: true })).toEqual({
    status: 'WAITING',
    reason: expect.stringMatching(
      /^The initializer agent could not continue: openai at [\d.:]+ answered: 402 Pay first\./,
    ),
  });
  await project.resume();
  expect(await project.waitForEnd({ orRest: true })).toEqual({
    status: 'FAILED',
    reason: expect.stringContaining(`The proposal was refused 3 times: The proposal is invalid: - ${complaints[2]}`),
  });
  const told = await toldTo(project, 'init');
  expect(told.slice(-3)).toEqual(complaints.map((complaint) => `The proposal is invalid:\n- ${complaint}`));
  expect(await project.features()).toEqual([]);
  expect(await project.checkpoints()).toEqual([]);
  expect(gitIn(folder)('for-each-ref')).toBe('');
  expect(gitIn(folder)('status', '--porcelain')).toBe('');
});
