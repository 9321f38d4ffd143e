import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { createProjectMessages, type ProjectMessages } from '../../../activities/project/project-messages.ts';
import type { ProjectHandle } from '../../../client/index.ts';
import { connectDatabase, type DatabaseConnection } from '../../../db/connection/database.ts';
import { createTestsInOrder } from '../../support/in-order.ts';
import { proposal, smallProject } from '../../support/stack/scripts.ts';
import { type ServiceStack, startServiceStack } from '../../support/stack/service-stack.ts';
import { waitFor } from '../../support/wait-for.ts';

const features = [{ name: 'first' }, { name: 'second' }];

let stack: ServiceStack;
let connection: Connection;
let database: DatabaseConnection;
let messages: ProjectMessages;
let project: ProjectHandle;

beforeAll(async () => {
  const { entries } = smallProject(features.slice(0, 1));
  stack = await startServiceStack({ script: { entries: entries.filter(({ role }) => role !== 'initializer') } });
  connection = await Connection.connect({ address: stack.addresses.temporal });
  database = connectDatabase(stack.addresses.database);
  const taskQueue = stack.environment.LONGHAUL_TASK_QUEUE ?? '';
  messages = createProjectMessages({ database: database.database, client: new Client({ connection }), taskQueue });
  project = await stack.longhaul.startProject({
    goal: 'Two files.',
    name: 'messages',
    folder: join(stack.home, 'projects', 'messages'),
    features: proposal(features),
    settings: { maxSessions: 1 },
  });
  await waitFor('the limit of sessions', async () => (await project.status()).status === 'WAITING');
});
afterAll(async () => {
  await connection?.close();
  await database?.close();
  await stack?.stop();
});

const call = (id: string) => ({ id, by: 'a chat', signal: new AbortController().signal });

describe('what a chat asks of a project', () => {
  const inOrder = createTestsInOrder();

  inOrder('a repeated call begins one verification, even of a paused project', async () => {
    await messages.pause(project.id, { reason: 'Lunch.' });
    expect(await project.status()).toMatchObject({ status: 'PAUSED', reason: 'Lunch.' });
    writeFileSync(join(stack.home, 'projects', 'messages', 'second.txt'), 'second\n');
    const begun = await messages.verify(project.id, 'second', call('chat-r1.1.0'));
    expect(begun).toEqual({ sessionId: `${project.id}-s2`, feature: 'second', attempt: 1 });
    expect(await messages.verify(project.id, 'second', call('chat-r1.1.0'))).toEqual(begun);
    await waitFor('the end of the session', async () => (await project.sessions()).at(-1)?.status === 'PASSED');
    expect(await project.sessions()).toHaveLength(2);
    await waitFor('the rest', async () => (await project.status()).status === 'PAUSED');
    await messages.resume(project.id);
    await waitFor('the end', async () => (await project.status()).status === 'COMPLETED');
  });

  inOrder('a refusal says why', async () => {
    await expect(messages.pause(project.id, {})).rejects.toMatchObject({
      code: 'RequestRefused',
      message: `${project.id} has ended, so there is nothing to pause.`,
    });
    await expect(messages.verify(project.id, 'second', call('chat-r1.2.0'))).rejects.toMatchObject({
      code: 'RequestRefused',
      message: 'The feature "second" is PASSING.',
    });
    const unknown = { checkpoint: 'c9' };
    await expect(messages.revert(project.id, unknown, call('chat-r1.3.0'))).rejects.toThrow('not a checkpoint');
  });

  inOrder('a project is turned back and continues', async () => {
    const reverted = await messages.revert(project.id, { checkpoint: 'c1' }, call('chat-r1.4.0'));
    expect(reverted.checkpoint).toBe(`${project.id}/c1`);
    await waitFor('the pause', async () => (await project.status()).status === 'PAUSED');
    await messages.resume(project.id);
    await waitFor('the resume', async () => (await project.status()).status !== 'PAUSED');
    await messages.abandon(project.id, 'Enough.');
    await waitFor('the end', async () => (await project.status()).status === 'ABANDONED');
  });
});
