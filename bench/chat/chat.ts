import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { asc, eq } from 'drizzle-orm';
import { type ChatHandle, readConfiguration } from '../../client/index.ts';
import { findDueTurn } from '../../db/chats/extractions.ts';
import { openMemoryStore } from '../../db/memory/memory-store.ts';
import { events } from '../../db/schema/runs.ts';
import { usage } from '../../db/schema/usage.ts';
import { localModelFolder } from '../../models/embedding/local-model.ts';
import { openEmbedder } from '../../models/embedding/open-embedder.ts';
import { compare, type Measurement, median, milliseconds } from '../measurement.ts';
import { createMadeEmbedder, madeMemory, madeText } from '../memory/made-memories.ts';
import type { BenchStack } from '../stack/bench-stack.ts';
import { measureChatProcess } from './chat-process.ts';

const memories = 10_000;
const batch = 2_000;
const dimensions = 384;
const warmUpTurns = 20;
const defaultTurns = '1000';
const maxOutside = 150;
const maxRatio = 1.2;

/** A chat of a thousand messages among many memories, and the process that a person uses for it. */
export async function measureChat(
  stack: BenchStack,
  environment: Record<string, string | undefined>,
  { turns: given = defaultTurns }: { turns?: string | undefined },
): Promise<Measurement[]> {
  const turns = Number(given);
  if (!Number.isInteger(turns) || turns < 20) throw new Error(`Expected --turns to be 20 or more, got "${given}".`);
  const tenth = Math.floor(turns / 10);
  await fillMemory(stack, environment);
  await talk(stack, await stack.longhaul.chat('bench-warm-up'), warmUpTurns);
  const chat = await stack.longhaul.chat('bench-chat');
  await talk(stack, chat, turns);
  const [whole, outside] = await readTimes(stack, chat);
  const part = (times: number[], which: 'first' | 'last') =>
    median(which === 'first' ? times.slice(0, tenth) : times.slice(-tenth));
  return [
    {
      what: `chat: a turn outside the model, ${memories.toLocaleString('en')} memories`,
      ours: milliseconds(median(outside)),
      goal: { text: `under ${maxOutside} ms`, reached: median(outside) < maxOutside },
    },
    compare(
      `chat: ${turns.toLocaleString('en')} turns, time of a turn in the last tenth against the first`,
      part(whole, 'last'),
      part(whole, 'first'),
      { most: maxRatio },
    ),
    compare('chat: the same outside the model', part(outside, 'last'), part(outside, 'first')),
    ...(await measureChatProcess(stack)),
  ];
}

/** Writes global memories, which every message searches, under the name of the model that the worker embeds with. */
async function fillMemory({ home, signal }: BenchStack, environment: Record<string, string | undefined>) {
  const { memory, model } = readConfiguration({ ...environment, LONGHAUL_HOME: home });
  const { embedder } = await openEmbedder(memory.modelFolder ?? localModelFolder(home), model);
  const made = embedder && { ...createMadeEmbedder(dimensions), model: embedder.model };
  const store = await openMemoryStore({ uri: join(home, 'lancedb'), ...(made && { embedder: made }) });
  try {
    for (let from = 0; from < memories; from += batch) {
      signal.throwIfAborted();
      await store.remember(
        Array.from({ length: batch }, (_, index) => {
          const { id, kind, createdAt } = madeMemory(from + index);
          return { id, kind, createdAt, text: madeText(from + index), scope: 'global' };
        }),
      );
    }
    await store.optimize();
  } finally {
    await store.close();
  }
}

/** Waits for the previous turn's memory extraction before each message, as a typing person would. */
async function talk({ signal, connection }: BenchStack, chat: ChatHandle, count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) {
    while (chat.id !== undefined && (await findDueTurn(connection.database, chat.id))) await sleep(5);
    signal.throwIfAborted();
    for await (const event of chat.send(`Bench: ${madeText(turn * 7)}`)) {
      if (event.type === 'failure') throw new Error(`Expected an answer, got: ${event.reason}`);
    }
  }
}

/** Milliseconds of each turn from the message's row to the answer's end; then the same without the model's call. */
async function readTimes(
  { connection: { database } }: BenchStack,
  { id = '' }: ChatHandle,
): Promise<[number[], number[]]> {
  const recorded = await database.select().from(events).where(eq(events.chatId, id)).orderBy(asc(events.number));
  const kept = new Map<string, number>();
  const whole: number[] = [];
  for (const { data, createdAt } of recorded) {
    if (data.type === 'message.received') kept.set(data.exchange, +createdAt);
    if (data.type === 'answer.ended') whole.push(+createdAt - (kept.get(data.exchange) ?? Number.NaN));
  }
  const calls = await database
    .select()
    .from(usage)
    .where(eq(usage.runId, `${id}-r1`))
    .orderBy(asc(usage.turn));
  const answers = calls.filter(({ summaryUpTo }) => summaryUpTo === -1);
  return [whole, whole.map((time, turn) => time - (answers[turn]?.durationMs ?? Number.NaN))];
}
