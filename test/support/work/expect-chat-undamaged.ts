import { expect } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { type ChatHandle, readConfiguration } from '../../../client/index.ts';
import { readAddresses } from '../../../config/stack-record.ts';
import { connectDatabase } from '../../../db/connection/database.ts';
import { runs } from '../../../db/schema/runs.ts';
import { usage } from '../../../db/schema/usage.ts';
import { readMessages } from '../../../db/transcript/transcript.ts';
import type { TestStack } from '../stack/test-stack.ts';

export interface ExpectedChat {
  /** Each message and its answer. */
  exchanges: Array<[said: string, answer: string]>;
  /** Model calls for answers. */
  calls: number;
  /** Model calls for memory extraction. */
  looks: number;
  /** How many answers may have been lost between arrival and storage: at most those in flight when a worker was killed. */
  lost?: number;
}

/** Expects what must hold of a chat however often its processes died: nothing lost, nothing doubled, nothing paid twice. */
export async function expectChatUndamaged(stack: TestStack, chat: ChatHandle, expected: ExpectedChat): Promise<void> {
  const history = await chat.history();
  expect(history.map(({ said, answer, status }) => [said, answer, status])).toEqual(
    expected.exchanges.map(([said, answer]) => [said, answer, 'ANSWERED']),
  );
  expect(history.map(({ number }) => number)).toEqual(history.map((_, index) => index + 1));
  expect(history.every(({ steps }) => steps.every((step) => step.type === 'text' || step.failed === false))).toBe(true);
  const { database: url = '' } = readAddresses(readConfiguration(stack.environment));
  const connection = connectDatabase(url, { maxConnections: 1 });
  try {
    const chatId = chat.id ?? '';
    const [run, ...others] = await connection.database.select().from(runs).where(eq(runs.chatId, chatId));
    expect(others).toEqual([]);
    const messages = await readMessages(connection.database, run?.id ?? '');
    expect(messages.map(({ number }) => number)).toEqual(messages.map((_, index) => index));
    expect(messages.filter(({ role }) => role === 'user')).toHaveLength(expected.exchanges.length);
    expect(messages.filter(({ role }) => role === 'assistant')).toHaveLength(expected.calls);
    const asked = messages.flatMap(({ content }) => content.toolCalls?.map(({ id }) => id) ?? []);
    expect(messages.flatMap(({ content }) => content.toolCallId ?? [])).toEqual(asked);
    const paid = await connection.database
      .select()
      .from(usage)
      .where(eq(usage.runId, run?.id ?? ''));
    const used = paid.filter(({ outcome }) => outcome === 'ANSWERED');
    expect(used).toHaveLength(expected.calls + expected.looks);
    // A call that died with its worker has a row only if it had sent a heartbeat.
    expect(paid.length - used.length).toBeLessThanOrEqual(expected.lost ?? 0);
    const answered = stack.model.requests().filter((one) => one.run === run?.id && one.outcome === 'answered');
    const names = answered.map(({ role, turn }) => `${role} ${turn}`);
    const repeated = names.filter((name, index) => names.indexOf(name) !== index);
    expect(repeated.length).toBeLessThanOrEqual(expected.lost ?? 0);
    expect(new Set(names).size).toBe(expected.calls + expected.looks);
  } finally {
    await connection.close();
  }
}
