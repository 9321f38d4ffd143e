import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { ChatHandle } from '../../client/index.ts';
import { packageRoot } from '../../config/package-root.ts';
import { openMemoryStore } from '../../db/memory/memory-store.ts';
import { createRandom, testSeed } from '../support/random.ts';
import { startCommandLine } from '../support/stack/command-line.ts';
import { call } from '../support/stack/scripts.ts';
import { type ServiceName, startTestStack, type TestStack } from '../support/stack/test-stack.ts';
import { waitFor } from '../support/wait-for.ts';
import { expectChatUndamaged } from '../support/work/expect-chat-undamaged.ts';
import { docker, isFileIn } from '../support/work/sandboxes-of.ts';

/** Runs fifty of them with `LONGHAUL_CHAT_KILLS=50 npm test -- test/e2e/chat-kills`; `LONGHAUL_TEST_SEED` repeats a failure. */
const runs = Number(process.env.LONGHAUL_CHAT_KILLS ?? 6);
const seed = testSeed();

type Victim = ServiceName | 'client';

interface Moment {
  name: string;
  /** How long it lasts, in milliseconds, approximately; for a client that has to start first, if that is longer. */
  lasts: number;
  lastsWithStart?: number;
  /** True once it has begun or is over. */
  come(word: string): Promise<boolean>;
}

const whileCodeRuns: Moment = { name: 'while code runs in the sandbox', lasts: 3_000, come: hasCodeBegun };

/** The points of a turn, in order. */
const moments: Moment[] = [
  { name: 'while the message is sent', lasts: 100, lastsWithStart: 1_500, come: async () => true },
  { name: 'while the model is asked', lasts: 250, come: async (word) => requestsOf(word, 'chat').length > 0 },
  { name: 'while the second call is made', lasts: 250, come: async (word) => requestsOf(word, 'chat').length > 1 },
  whileCodeRuns,
  { name: 'while the answer is given', lasts: 250, come: async (word) => requestsOf(word, 'chat').length > 2 },
  {
    name: 'while it is looked for what to keep',
    lasts: 250,
    come: async (word) => requestsOf(word, 'summarizer').length > 0,
  },
];
const victims: Victim[] = ['client', 'worker', 'temporal', 'postgres'];

const chance = createRandom(seed);
// Six runs cover each moment once, and 24 each moment with each victim; the seed decides the exact times.
const cells = Array.from({ length: runs }, (_, index) => {
  const victim = victims[index % victims.length] as Victim;
  // Four victims and six moments repeat after twelve runs, so every other dozen shifts the moments by one.
  const moment = moments[(index + (Math.floor(index / 12) % 2)) % moments.length] as Moment;
  // Each run has words of its own, so that its memories are not duplicates of another run's.
  const word = `w${(index * 7919 + 101).toString(36)}x${index}z`;
  const lasts = (victim === 'client' && moment.lastsWithStart) || moment.lasts;
  return { word, victim, moment, delayMs: Math.floor(chance() * lasts) };
});

/** Leaves a line in a file each time it runs. */
const slow =
  'import time\nopen("runs", "a").write("ran\\n")\nopen("begun", "w").close()\ntime.sleep(4)\nopen("runs").read()';

const keep = (text: string) =>
  JSON.stringify({
    keep: [
      { kind: 'preference', text, replaces: null },
      { kind: 'task', text: `Do ${text}`, replaces: null },
    ],
  });

const script = {
  entries: [
    { role: 'chat', after: 'Count', turns: [{ text: 'Counted.' }] },
    ...cells.flatMap(({ word, moment }) => [
      {
        role: 'chat',
        after: `Tell me of ${word}`,
        turns: [
          call('write_memory', { content: `${word} ${word}a ${word}b is a plant.`, kind: 'fact' }),
          {
            calls: [
              { tool: 'create_task', arguments: { title: `Water ${word}` } },
              ...(moment === whileCodeRuns
                ? [{ tool: 'execute_code', arguments: { language: 'python', code: slow } }]
                : [{ tool: 'list_tasks', arguments: {} }]),
            ],
          },
          {
            text: `${word} is a plant.`,
            expect: ['Remembered as', 'Created task', ...(moment === whileCodeRuns ? ["[result]\n'ran\\n'"] : [])],
          },
        ],
      },
      {
        role: 'chat',
        after: `And more of ${word}`,
        turns: [{ text: `${word} is green.`, expect: [`${word} is a plant.`] }],
      },
      { role: 'summarizer', after: `Tell me of ${word}`, turns: [{ text: keep(`${word}c ${word}d ${word}e`) }] },
      { role: 'summarizer', after: `And more of ${word}`, turns: [{ text: JSON.stringify({ keep: [] }) }] },
    ]),
  ],
};

let stack: TestStack;

beforeAll(async () => {
  stack = await startTestStack({ script });
});
afterAll(async () => {
  await stack?.stop();
  // A chat keeps its sandbox, stopped, as long as the chat exists.
  for (const { word } of cells) {
    const filter = `name=longhaul-chat-about-${word}-`;
    for (const kind of [
      ['container', 'ls', '--all'],
      ['volume', 'ls'],
    ]) {
      const kept = await docker(undefined, ...kind, '--quiet', '--filter', filter);
      for (const id of kept.split('\n').filter(Boolean)) await docker(undefined, String(kind[0]), 'rm', '--force', id);
    }
  }
});
afterEach(() => stack.model.behave());

describe(`with the seed ${seed}`, () => {
  test.each(cells)(
    'the $victim killed $moment.name, $delayMs ms in ($word) loses and doubles nothing',
    async ({ word, victim, moment, delayMs }) => {
      // Makes each moment last; the delay is between the pieces of a streamed answer.
      stack.model.misbehave({ kind: 'slow', milliseconds: 15 }, { match: {} });
      const said = `Tell me of ${word}`;
      const name = `about-${word}`;
      const client = victim === 'client' ? startClient(name, said) : sayFromHere(await stack.longhaul.chat(name), said);
      await waitFor(moment.name, async () => client.hasEnded() || (await moment.come(word)));
      await sleep(delayMs);
      if (victim === 'client') client.kill();
      else await stack.kill(victim);
      await client.ended;
      if (victim !== 'client') await stack.untilBack();
      const chat = await stack.longhaul.chat(name);
      // Like a returning person: see whether the message was stored, and send it again otherwise.
      const [kept] = await chat.history();
      if (kept) await chat.wake();
      else await chat.say(said);
      await untilAnswered(chat, 1);
      await chat.say(`And more of ${word}`);
      await untilAnswered(chat, 2);
      await waitFor('the turns to be looked at', async () => (await countDue(chat)) === 0);
      await expectChatUndamaged(stack, chat, {
        exchanges: [
          [said, `${word} is a plant.`],
          [`And more of ${word}`, `${word} is green.`],
        ],
        calls: 4,
        looks: 2,
        lost: victim === 'worker' ? 1 : 0,
      });
      expect(await memoriesOf(word)).toEqual([`${word} ${word}a ${word}b is a plant.`, `${word}c ${word}d ${word}e`]);
      const titles = (await stack.longhaul.stores.tasks.list())
        .map(({ title }) => title)
        .filter((title) => title.includes(word));
      expect(titles.sort()).toEqual([`Do ${word}c ${word}d ${word}e`, `Water ${word}`]);
    },
  );
});

test('a message that is sent while Temporal is away is answered once', async () => {
  await stack.kill('temporal');
  const sent = startCommandLine(stack.environment, 'chat', '--session', 'away', '-m', 'Count');
  expect(await sent.ended).toMatchObject({ code: 0, stdout: 'Counted.\n' });
  await stack.untilBack();
  const history = await (await stack.longhaul.existingChat('away')).history();
  expect(history).toMatchObject([{ said: 'Count', status: 'ANSWERED', answer: 'Counted.' }]);
});

async function hasCodeBegun(word: string): Promise<boolean> {
  if (requestsOf(word, 'chat').length > 2) return true; // it is over
  return isFileIn({ name: [word] }, '/workspace/begun');
}

function requestsOf(word: string, role: string) {
  return stack.model.requests().filter(({ run, role: asking }) => asking === role && run?.includes(word));
}

interface Sending {
  ended: Promise<void>;
  /** True once nothing more can come of it. */
  hasEnded(): boolean;
  kill(): void;
}

/** A client in this process, which takes less of the processor than one that is to be killed; that a server died may fail it. */
function sayFromHere(chat: ChatHandle, said: string): Sending {
  let failed = false;
  const sent = chat.say(said).then(
    () => {},
    () => {
      failed = true;
    },
  );
  return { ended: sent, hasEnded: () => failed, kill() {} };
}

/** Runs `longhaul chat -m` as a process of its own. */
function startClient(name: string, said: string): Sending {
  const longhaul = join(packageRoot(), 'bin', 'longhaul.cjs');
  const child = spawn(process.execPath, [longhaul, 'chat', '--session', name, '-m', said], {
    env: stack.environment,
    stdio: 'ignore',
  });
  let over = false;
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  void ended.then(() => {
    over = true;
  });
  const watchdog = setTimeout(() => child.kill('SIGKILL'), 60_000);
  void ended.then(() => clearTimeout(watchdog));
  return { ended, hasEnded: () => over, kill: () => void child.kill('SIGKILL') };
}

async function untilAnswered(chat: ChatHandle, count: number): Promise<void> {
  await waitFor(`${count} answers`, async () => {
    const history = await chat.history();
    return history.length >= count && history.every(({ endedAt }) => endedAt !== null);
  });
}

async function countDue(chat: ChatHandle): Promise<number> {
  return (await chat.history()).filter(({ extraction }) => extraction?.status !== 'DONE').length;
}

async function memoriesOf(word: string): Promise<string[]> {
  const memory = await openMemoryStore({ uri: join(stack.home, 'lancedb') });
  try {
    const all = await memory.list({ scope: 'everything', history: true });
    return all
      .map(({ text }) => text)
      .filter((text) => text.includes(word))
      .sort();
  } finally {
    await memory.close();
  }
}
