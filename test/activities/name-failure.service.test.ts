import { expect, test } from '@jest/globals';
import { DefaultFailureConverter, defaultPayloadConverter } from '@temporalio/common';
import { sql } from 'drizzle-orm';
import { nameFailure } from '../../activities/name-failure.ts';
import { connectDatabase } from '../../db/connection/database.ts';
import { MemoryError } from '../../db/memory/memory-error.ts';
import { chats } from '../../db/schema/chats.ts';
import { runs } from '../../db/schema/runs.ts';
import { SandboxError } from '../../sandbox/errors.ts';
import { databaseOfFile } from '../support/servers/test-database.ts';

const { database } = await databaseOfFile();

test('a memory refused for its content is not retried', () => {
  for (const code of ['SecretInMemory', 'EmptyMemory'] as const) {
    const refusal = new MemoryError(code, 'refused');
    expect(nameFailure(refusal)).toMatchObject({ type: 'InvalidInput', nonRetryable: true, message: refusal.message });
  }
});

test('Postgres that is away is a named, retried failure', async () => {
  const { database, close } = connectDatabase('postgres://user:hunter22@127.0.0.1:1/longhaul');
  const question = sql`select ${'what a person said'}`;
  const failures = await Promise.all([
    database.execute(question).then(fail, nameFailure),
    database.transaction((query) => query.execute(question)).then(fail, nameFailure),
  ]);
  await close();
  for (const failure of failures) {
    expect(failure).toMatchObject({
      type: 'DatabaseUnavailable',
      nonRetryable: false,
      message: 'Could not reach Postgres (connect ECONNREFUSED 127.0.0.1:1).',
    });
    expect(JSON.stringify(new DefaultFailureConverter().errorToFailure(failure, defaultPayloadConverter))).not.toMatch(
      /what a person said|hunter22/,
    );
  }
});

test('a refusal by another server is not taken for Postgres', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const error = new TypeError('fetch failed', { cause: refused });
  expect(nameFailure(error)).toBe(error);
});

function fail(): never {
  throw new Error('Expected no answer.');
}

test('a number that no column stores is not retried', async () => {
  const refusal = await database
    .update(runs)
    .set({ turns: 3_000_000_000 })
    .catch((error: unknown) => error);
  expect(nameFailure(refusal)).toMatchObject({
    type: 'InvalidInput',
    nonRetryable: true,
    message: 'Postgres refused a value: value "3000000000" is out of range for type integer.',
  });
});

test('a row with a missing reference is not retried', async () => {
  const lonely = {
    id: 'one',
    projectId: null,
    chatId: 'nowhere',
    role: 'chat',
    model: 'm',
    status: 'RUNNING',
  } as const;
  const failure = await database.insert(runs).values(lonely).then(fail, nameFailure);
  expect(failure).toMatchObject({
    type: 'InvalidInput',
    nonRetryable: true,
    message: expect.stringMatching(
      /^Postgres refused a value: insert .*violates foreign key constraint "[^"]*chat[^"]*"\.$/,
    ),
  });
});

test('a full disk under a sandbox is retried', () => {
  // Workflows wait where they get this type; nothing that an agent does can make room, so it is not tried for hours.
  const failure = nameFailure(new SandboxError('DiskFull', 'The disk is full.'));
  expect(failure).toMatchObject({ type: 'DiskFull', nonRetryable: true, message: 'The disk is full.' });
});

test('a collision with an earlier attempt is retried, without the query in the message', async () => {
  const chat = { id: 'chat-1', name: 'what a person said' };
  await database.insert(chats).values(chat);
  const failure = await database.insert(chats).values(chat).then(fail, nameFailure);
  expect(failure).toMatchObject({
    type: 'Internal',
    nonRetryable: false,
    message: expect.stringMatching(/^A query failed: duplicate key value violates unique constraint "[^"]*"\.$/),
  });
  expect(JSON.stringify(new DefaultFailureConverter().errorToFailure(failure, defaultPayloadConverter))).not.toContain(
    'what a person said',
  );
});
