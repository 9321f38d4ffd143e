import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { and, asc, eq } from 'drizzle-orm';
import { connectDatabase } from '../../../db/connection/database.ts';
import { toolCalls } from '../../../db/schema/runs.ts';
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
import { answerCheck } from '../../support/stack/text-file-sandboxes.ts';
import { waitFor } from '../../support/wait-for.ts';

const again = call('read_file', { path: 'init.sh' });

const tooLong = { kind: 'status', status: 400, message: 'prompt is too long: 200001 tokens > 200000 maximum' } as const;

const cases = {
  silent: {
    features: [
      {
        name: 'silent',
        attempts: [
          [{ ...writes('silent'), misbehave: { kind: 'empty-answer', times: 3 } }],
          [{ ...writes('silent'), expect: ['Attempt 1: The agent answered 3 times without calling a tool.'] }],
        ],
      },
    ],
  },
  thoughtful: {
    features: [
      {
        name: 'thoughtful',
        attempts: [
          [{ ...writes('thoughtful'), misbehave: { kind: 'thought-only', times: 3 } }],
          [{ ...writes('thoughtful'), expect: ['The last answer was cut off at the token limit'] }],
        ],
      },
    ],
  },
  clumsy: {
    features: [
      {
        name: 'clumsy',
        work: [
          { ...call('git_log'), misbehave: { kind: 'text-instead-of-call' } },
          { ...writes('clumsy'), misbehave: { kind: 'malformed-arguments' } },
          { ...writes('clumsy'), misbehave: { kind: 'wrong-arguments' } },
          { ...call('git_diff'), misbehave: { kind: 'unknown-tool' } },
          call('write_file', { path: '../etc/outside', content: 'x' }),
          call('read_file', { path: '/etc/passwd' }),
        ],
      },
    ],
  },
  idle: {
    features: [
      {
        name: 'idle',
        command: 'grep -qx idle idle.txt || { echo "idle.txt says nothing"; exit 3; }',
        attempts: [[], [{ ...writes('idle'), expect: ['(exit code 3)', 'Output of `grep', 'idle.txt says nothing'] }]],
      },
    ],
  },
  cheating: {
    features: [
      {
        name: 'cheating',
        files: [{ path: 'check.sh', content: 'grep -qx cheating cheating.txt\n' }],
        command: 'bash check.sh',
        attempts: [
          [call('write_file', { path: 'check.sh', content: 'exit 0\n' })],
          [{ ...writes('cheating'), expect: ['changed protected files: check.sh'] }],
        ],
      },
    ],
  },
  babbling: {
    features: [
      {
        name: 'babbling',
        work: [
          { ...call('git_log'), misbehave: { kind: 'truncated' } },
          { ...call('read_file', { path: 'page' }), misbehave: { kind: 'many-calls' } },
          { ...writes('babbling'), misbehave: { kind: 'duplicate-ids' } },
        ],
      },
    ],
  },
  unwilling: {
    features: [
      {
        name: 'unwilling',
        attempts: [
          [{ ...writes('unwilling'), misbehave: { kind: 'refusal' } }],
          [
            {
              ...writes('unwilling'),
              expect: ['Attempt 1: The model refused to answer: I will not do that.'],
              misbehave: { kind: 'filtered-call' },
            },
          ],
          [{ ...writes('unwilling'), expect: ['it was stopped during a call of write_file'] }],
        ],
      },
    ],
  },
  wordy: {
    features: [
      {
        name: 'wordy',
        work: [
          call('run_command', { command: 'seq 1 2000' }),
          { ...call('read_output', { message: 3, offset: 4_000, limit: 20 }), misbehave: tooLong },
          { ...writes('wordy'), expect: ['characters of this older result left out; read_output with message 3'] },
        ],
      },
    ],
  },
  drowned: {
    features: [
      {
        name: 'drowned',
        attempts: [
          [{ ...writes('drowned'), misbehave: tooLong }],
          [{ ...writes('drowned'), expect: ['The conversation no longer fits the model'] }],
        ],
      },
    ],
  },
  circling: {
    features: [
      { name: 'circling', attempts: [[again, again, again, again, again, again, again], [writes('circling')]] },
    ],
  },
  dawdling: {
    settings: { stuck: { idleTurns: 2 } },
    features: [
      {
        name: 'dawdling',
        work: [
          call('list_files'),
          call('git_log'),
          { ...call('git_diff'), expect: ['For 2 turns the agent changed no file'] },
          writes('dawdling'),
          call('list_files'),
        ],
      },
    ],
  },
  rewriting: {
    settings: { stuck: { idleTurns: 2 } },
    features: [
      {
        name: 'rewriting',
        work: [
          writes('rewriting'),
          writes('rewriting'), // the result says that it replaces a file
          call('list_files'),
          writes('rewriting'),
          { ...call('git_diff'), expect: ['For 2 turns the agent changed no file'] },
        ],
      },
    ],
  },
  resigned: {
    features: [
      {
        name: 'resigned',
        attempts: [
          [call('give_up', { reason: 'It is Monday.', learned: 'Tuesday is better.' })],
          [
            {
              ...writes('resigned'),
              expect: ['Attempt 1: The agent gave up: It is Monday. Learned: Tuesday is better.'],
            },
          ],
        ],
      },
    ],
  },
  contradicted: {
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
  stumbling: {
    features: [
      {
        name: 'stumbling',
        work: [
          { ...call('list_files'), misbehave: { kind: 'rate-limit', retryAfterSeconds: 3 } },
          { ...call('git_log'), misbehave: { kind: 'status', status: 500 } },
          { ...writes('stumbling'), misbehave: { kind: 'cut-stream' } },
        ],
      },
    ],
  },
  locked: {
    features: [
      {
        name: 'locked',
        work: [
          { ...call('list_files'), misbehave: { kind: 'status', status: 404, message: 'No such model.' } },
          { ...writes('locked'), misbehave: { kind: 'status', status: 401, message: 'No such key.' } },
        ],
      },
    ],
  },
  stuck: {
    settings: { maxAttempts: 2 },
    features: [{ name: 'stuck' }, { name: 'dependent', dependencies: ['stuck'] }, { name: 'free' }],
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
const noQuota = { kind: 'status', status: 402, message: 'Pay first.' } as const;
const initializer = {
  role: 'initializer',
  turns: [
    call('propose_project', refused.cycle),
    { ...call('propose_project', refused.unknown), expect: [complaints[0] as string] },
    { ...call('propose_project', refused.unverified), expect: [complaints[1] as string], misbehave: noQuota },
  ],
};

let stack: ServiceStack;
let started: Record<keyof typeof cases, StartedProject>;

beforeAll(async () => {
  stack = await startServiceStack({
    script: { entries: [initializer, ...scriptOf(cases).entries] },
    commands: [
      {
        match: 'grep -qx idle idle.txt ||',
        result: async (command) => {
          const { exitCode } = await answerCheck({ ...command, script: 'grep -qx idle idle.txt' });
          return exitCode === 0 ? {} : { output: 'idle.txt says nothing\n', exitCode: 3 };
        },
      },
      {
        match: 'bash check.sh',
        result: (command) => answerCheck({ ...command, script: 'grep -qx cheating cheating.txt' }),
      },
      {
        match: 'seq 1 2000',
        result: { output: Array.from({ length: 2_000 }, (_, index) => `${index + 1}\n`).join('') },
      },
    ],
  });
  stack.model.misbehave({ kind: 'empty-answer' }, { match: { feature: 'stuck', role: 'code' }, times: 6 });
  started = await startCases(stack, cases);
});
afterAll(() => stack?.stop());

const completed = (name: keyof typeof cases, sessions: string[]) => expectCompleted(started[name], sessions);

test('a model that answers nothing three times ends its attempt, and the next attempt knows', async () => {
  const { project } = await completed('silent', ['silent 1 FAILED', 'silent 2 PASSED']);
  expect((await project.sessions())[0]?.reason).toBe('The agent answered 3 times without calling a tool.');
  expect((await toldTo(project, 's1-work')).filter((text) => text.includes('without calling a tool'))).toHaveLength(3);
});

test("a token limit too small for a model's thoughts is named to the next attempt", async () => {
  await completed('thoughtful', ['thoughtful 1 FAILED', 'thoughtful 2 PASSED']);
});

test('a model that talks instead of calling a tool is corrected and continues', async () => {
  const { project } = await completed('clumsy', ['clumsy 1 PASSED']);
  expect(await toldTo(project, 's1-work')).toContainEqual(expect.stringContaining('so nothing happened'));
});

test('arguments that are not JSON are answered with what came', async () => {
  const { project } = await completed('clumsy', ['clumsy 1 PASSED']);
  expect(await toldTo(project, 's1-work')).toContainEqual(
    expect.stringMatching(/The arguments of write_file are not valid JSON: .*Got: \{"path"/s),
  );
});

test('wrong arguments are answered with what does not fit', async () => {
  const { project } = await completed('clumsy', ['clumsy 1 PASSED']);
  expect(await toldTo(project, 's1-work')).toContainEqual(
    expect.stringMatching(/The arguments of write_file are invalid\. path: .*; content: /),
  );
});

test('an unknown tool is answered with those that there are', async () => {
  const { project } = await completed('clumsy', ['clumsy 1 PASSED']);
  expect(await toldTo(project, 's1-work')).toContainEqual(
    expect.stringMatching(/There is no tool "summon_colleague"\. You have: list_files, .*finish/),
  );
});

test('a path outside the workspace is refused and the agent continues', async () => {
  const { project } = await completed('clumsy', ['clumsy 1 PASSED']);
  const told = await toldTo(project, 's1-work');
  expect(told.filter((text) => /leads out of the workspace/.test(text))).toHaveLength(2);
  expect(told.join()).not.toContain('root:x:0');
});

test('a model that says it is done without doing anything does not pass, and the next attempt sees the output', async () => {
  const { project } = await completed('idle', ['idle 1 FAILED', 'idle 2 PASSED']);
  expect((await project.sessions())[0]?.reason).toContain('idle.txt says nothing');
});

test('a model that edits the protected verification does not pass on it', async () => {
  const { project, git } = await completed('cheating', ['cheating 1 FAILED', 'cheating 2 PASSED']);
  expect((await project.sessions())[0]?.reason).toContain('changed protected files: check.sh');
  expect(git('show', 'HEAD:check.sh')).toBe('grep -qx cheating cheating.txt');
});

test('an answer that was cut off is gone on with, and of fifty calls the first 32 are done', async () => {
  const { project } = await completed('babbling', ['babbling 1 PASSED']);
  const told = await toldTo(project, 's1-work');
  expect(told).toContainEqual(expect.stringContaining('cut off at the token limit'));
  const undone = told.filter((text) =>
    text.startsWith('Not executed: only the first 32 calls of an answer are executed.'),
  );
  expect(undone).toHaveLength(18);
  expect(undone[0]).toContain('This answer had 50.');
});

test('calls of one answer that only read do not wait for each other', async () => {
  const { project } = await completed('babbling', ['babbling 1 PASSED']);
  const url = stack.addresses.database;
  const connection = connectDatabase(url);
  const rows = await connection.database
    .select()
    .from(toolCalls)
    .where(and(eq(toolCalls.runId, `${project.id}-s1-work`), eq(toolCalls.name, 'read_file')))
    .orderBy(asc(toolCalls.startedAt));
  await connection.close();
  const answer = rows.filter(({ turn }) => turn === rows[0]?.turn);
  expect(answer).toHaveLength(32);
  const atOnce = answer.map(
    ({ startedAt }) =>
      answer.filter((one) => one.startedAt <= startedAt && (one.endedAt ?? startedAt) > startedAt).length,
  );
  expect(Math.max(...atOnce)).toBeGreaterThan(3);
});

test('calls that share an id get one each, so that every result has its call', async () => {
  const { project } = await completed('babbling', ['babbling 1 PASSED']);
  const { messages } = await project.transcript('s1-work');
  const asked = messages.flatMap(({ content }) => content.toolCalls?.map(({ id }) => id) ?? []);
  expect(new Set(asked).size).toBe(asked.length);
  expect(messages.flatMap(({ content }) => content.toolCallId ?? [])).toEqual(asked);
});

test('a conversation that became too long continues with older output shortened, which can be read again', async () => {
  const { project } = await completed('wordy', ['wordy 1 PASSED']);
  const told = await toldTo(project, 's1-work');
  expect(told[2]).toContain('\n1000\n'); // the transcript keeps all of it
  expect(told[3]).toMatch(/^[\d\s]{20}\n\[characters 4000 to 4020 of \d+\]$/);
});

test('a conversation of which nothing can be shortened ends its attempt, and the next one begins anew', async () => {
  await completed('drowned', ['drowned 1 FAILED', 'drowned 2 PASSED']);
});

test('a model that refuses ends its attempt with its words', async () => {
  const { project } = await completed('unwilling', ['unwilling 1 FAILED', 'unwilling 2 FAILED', 'unwilling 3 PASSED']);
  expect((await project.sessions())[0]?.reason).toBe('The model refused to answer: I will not do that.');
});

test('a model that repeats the same call three times is warned, then stopped', async () => {
  const { project } = await completed('circling', ['circling 1 FAILED', 'circling 2 PASSED']);
  expect((await project.sessions())[0]?.reason).toContain('called read_file 3 times in a row');
  const told = await toldTo(project, 's1-work');
  expect(told).toHaveLength(2 + 3 + 1 + 3);
  expect(told[5]).toMatch(/^You do not seem to be making progress\. The agent called read_file 3 times/);
});

test('a model that only reads is warned, and continues once it changes something', async () => {
  await completed('dawdling', ['dawdling 1 PASSED']);
});

test('a model that writes the same file again makes no progress', async () => {
  await completed('rewriting', ['rewriting 1 PASSED']);
});

test('a model that gives up passes what it learned to the next attempt', async () => {
  await completed('resigned', ['resigned 1 FAILED', 'resigned 2 PASSED']);
});

test('a rate limit, a server error and a cut answer are asked again, and each turn is stored once', async () => {
  const { project } = await completed('stumbling', ['stumbling 1 PASSED']);
  const run = `${project.id}-s1-work`;
  const asked = stack.model.requests().filter((request) => request.run === run);
  expect(asked.map(({ turn, outcome }) => `${turn} ${outcome}`)).toEqual([
    '1 failed',
    '1 answered',
    '2 failed',
    '2 answered',
    '3 failed',
    '3 answered',
    '4 answered',
  ]);
  const { usage } = await project.transcript('s1-work');
  expect(usage.map(({ turn, attempt, outcome }) => `${turn} ${attempt} ${outcome}`)).toEqual([
    '1 1 ModelRateLimited',
    '1 2 ANSWERED',
    '2 1 ModelServerError',
    '2 2 ANSWERED',
    '3 1 ModelUnreachable',
    '3 2 ANSWERED',
    '4 1 ANSWERED',
  ]);
  expect((await project.status()).cost).toMatchObject({ unknownCalls: 2 });
  const [first, second] = asked.map(({ at }) => Date.parse(at));
  expect((second ?? 0) - (first ?? 0)).toBeGreaterThan(2900); // Retry-After asked for 3 s; the retry policy alone would wait 1 s
  const turns = (await project.log()).flatMap(({ data }) =>
    data.type === 'turn-completed' && data.run === run ? [data.turn] : [],
  );
  expect(turns).toEqual([1, 2, 3, 4]);
  const { messages } = await project.transcript(run);
  expect(messages.filter((message) => message.role === 'assistant').map((message) => message.turn)).toEqual(turns);
});

test('a missing model or a refused key makes the project wait with the reason, and a resume repeats the turn', async () => {
  const { project } = started.locked;
  for (const said of ['404 No such model', '401 No such key']) {
    expect(await project.waitForEnd({ orRest: true })).toEqual({
      status: 'WAITING',
      reason: expect.stringMatching(`The code agent could not continue: openai answered: ${said}\\. .*then resume`),
    });
    expect(await project.features()).toMatchObject([{ status: 'IN_PROGRESS' }]);
    await project.resume();
  }
  await completed('locked', ['locked 1 PASSED']);
  const asked = stack.model.requests().filter((one) => one.feature === 'locked' && one.role === 'code');
  expect(asked.map(({ turn }) => turn)).toEqual([1, 1, 2, 2, 3]); // a paid turn is not asked for again
});

test('a feature that used up its attempts blocks those that depend on it, and a resume brings all back', async () => {
  const { project } = started.stuck;
  expect(await project.waitForEnd({ orRest: true })).toEqual({
    status: 'WAITING',
    reason: expect.stringMatching(/"stuck" is BLOCKED: 2 attempts did not pass; the last: .* `resume` gives/),
  });
  expect(await project.features()).toMatchObject([
    { name: 'stuck', status: 'BLOCKED', attempts: 2, blockedByDependency: false },
    { name: 'dependent', status: 'BLOCKED', blockedByDependency: true, reason: expect.stringContaining('"stuck"') },
    { name: 'free', status: 'PASSING' },
  ]);
  const before = await sessionsOf(project);
  expect(before).toEqual(['stuck 1 FAILED', 'free 1 PASSED', 'stuck 2 FAILED']);
  await project.resume();
  await waitFor('the project to go on', async () => (await project.status()).status !== 'WAITING');
  await completed('stuck', [...before, 'stuck 1 PASSED', 'dependent 1 PASSED']);
});

test('a feature that cannot be done, or not without a change, waits for a person, and the attempt does not count', async () => {
  const { project } = started.contradicted;
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
    reason: expect.stringMatching(/^The initializer agent could not continue: openai answered: 402 Pay first\./),
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
