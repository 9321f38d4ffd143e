import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import type { Payload } from '@temporalio/common';
import type { ProjectHandle } from '../../../client/index.ts';
import { packageRoot } from '../../../config/package-root.ts';
import { dataConverterOf } from '../../../temporal/data-converter.ts';
import { createPayloadCodec } from '../../../temporal/payload-codec.ts';
import { call, smallProject } from '../../support/stack/scripts.ts';
import { type ServiceStack, startServiceStack } from '../../support/stack/service-stack.ts';
import { answerCheck } from '../../support/stack/text-file-sandboxes.ts';

const key = () => randomBytes(32).toString('base64');
const [one, other] = [key(), key()];

const goal = 'A wonderful zebra shop.';
/** A value that no pattern takes for a secret; the worker holds it. */
const held = 'plum.wolf+7fox';
const output = `a quagga, ghp_${'a1B2'.repeat(9)}, ${held}\n`;

let stack: ServiceStack;
let connection: Connection;
let client: Client;
let project: ProjectHandle;

beforeAll(async () => {
  stack = await startServiceStack({
    script: smallProject([
      {
        name: 'only',
        command: 'leak; grep -qx only only.txt',
        work: [call('run_command', { command: 'leak' })], // does not pass, with the output as its reason
      },
    ]),
    commands: [{ match: 'leak', result: async (command) => ({ ...(await answerCheck(command)), output }) }],
    environment: () => ({ LONGHAUL_PAYLOAD_KEYS: `first:${one}`, SOME_API_KEY: held }),
  });
  connection = await Connection.connect({ address: stack.addresses.temporal });
  client = new Client({ connection });
  const folder = join(stack.home, 'projects', 'encrypted');
  project = await stack.longhaul.startProject({ goal, folder, settings: { maxAttempts: 1 } });
  expect(await project.waitForEnd({ orRest: true })).toMatchObject({ status: 'WAITING' });
  await project.abandon();
  await project.waitForEnd();
}, 1_200_000);
afterAll(async () => {
  await connection?.close();
  await stack?.stop();
});

/** Everything that the server has of the project's workflows, bytes also as text. */
async function readHistories(): Promise<string> {
  const texts: string[] = [];
  for await (const { workflowId, runId } of client.workflow.list({ query: `LonghaulProject = "${project.id}"` })) {
    const handle = client.workflow.getHandle(workflowId, runId);
    const known = [await handle.fetchHistory(), (await handle.describe()).raw];
    texts.push(
      JSON.stringify(known, (_name, value) => (typeof value === 'string' ? `${value} ${decoded(value)}` : value)),
    );
  }
  expect(texts.length).toBeGreaterThan(2);
  return texts.join('\n');
}

function decoded(base64: string): string {
  return Buffer.from(base64, 'base64').toString('latin1');
}

test('the history of a project shows neither goal nor output, failures included', async () => {
  const all = await readHistories();
  expect(all).toContain('binary/encrypted');
  expect(all).not.toMatch(/zebra|quagga/);
  expect(project.id).not.toContain('zebra');
  // A failure of a workflow and of an update.
  const failed = await client.workflow.start('projectWorkflow', {
    workflowId: 'encrypted-failure',
    taskQueue: stack.environment.LONGHAUL_TASK_QUEUE ?? '',
    args: [{ name: 'no goal' }],
  });
  await expect(failed.result()).rejects.toThrow();
  const history = JSON.stringify(await failed.fetchHistory());
  expect(history).toContain('Encoded failure');
  expect(history).not.toContain('Expected {');
});

test('no secret of an output is in the events, nor in what the history decrypts to', async () => {
  const events = JSON.stringify(await project.log());
  expect(events).toContain('quagga');
  expect(events).not.toMatch(/a1B2|plum\.wolf/);
  const codec = createPayloadCodec([{ id: 'first', key: Buffer.from(one, 'base64') }]);
  let seen = '';
  for await (const { workflowId, runId } of client.workflow.list({ query: `LonghaulProject = "${project.id}"` })) {
    const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    for (const { data } of await codec.decode(payloadsIn(history))) seen += Buffer.from(data ?? []).toString();
  }
  expect(seen).toContain('quagga');
  expect(seen).not.toMatch(/a1B2|plum\.wolf/);
});

function payloadsIn(value: unknown): Payload[] {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return [];
  if ('metadata' in value && 'data' in value) return [value as Payload];
  return Object.values(value).flatMap(payloadsIn);
}

test('a client with another key is told so', async () => {
  for (const [id, code] of [
    ['other', 'PayloadKeyUnknown'],
    ['first', 'PayloadUnreadable'],
  ] as const) {
    const keys = [{ id, key: Buffer.from(other, 'base64') }];
    const reading = new Client({ connection, ...dataConverterOf(keys, packageRoot()) });
    await expect(reading.workflow.getHandle(project.id).result()).rejects.toMatchObject({ code });
  }
});
