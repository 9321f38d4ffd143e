import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runChatCommand } from '../../cli/chat/chat-commands.ts';
import type { ConversationControl } from '../../cli/chats/conversation-control.ts';
import { runCli } from '../cli/run.ts';
import { type ServiceStack, startServiceStack } from '../support/stack/service-stack.ts';

let stack: ServiceStack;
let empty: Server;

beforeAll(async () => {
  empty = createServer((_, response) => {
    response.writeHead(404, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message: 'There is no such model here.' } }));
  });
  await new Promise<void>((resolve) => empty.listen(0, '127.0.0.1', resolve));
  stack = await startServiceStack({
    script: { entries: [{ role: 'chat', turns: [{ text: 'Hello.' }] }] },
    environment: async () => ({ VLLM_BASE_URL: `http://127.0.0.1:${(empty.address() as AddressInfo).port}/v1` }),
  });
});
afterAll(async () => {
  await stack?.stop();
  empty.close();
  empty.closeAllConnections();
});

const elsewhere = 'http://127.0.0.1:9/v1';
const inOtherShell = (...parameters: string[]) =>
  runCli(parameters, { environment: { ...stack.environment, OPENAI_BASE_URL: elsewhere }, folder: stack.home });

test('settings and models are those of the worker, also in a shell that has others, which are named', async () => {
  const difference = `  OPENAI_BASE_URL: ${stack.model.url} in the worker, ${elsewhere} in this shell\n`;
  const config = await inOtherShell('config');
  expect(config.stdout).toMatch(new RegExp(`^OPENAI_BASE_URL +environment +${stack.model.url}$`, 'm'));
  expect(config.stderr).toContain(`The running worker has other settings than this shell:\n${difference}`);
  const models = await inOtherShell('models');
  expect(models).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(difference) });
  expect(models.stdout).toMatch(/^chat +scripted +.*answers after/m);
});

test('another model for all roles is one line', async () => {
  const environment = { ...stack.environment, LONGHAUL_MODEL: 'openai/other' };
  const { stderr } = await runCli(['config'], { environment, folder: stack.home });
  expect(stderr.match(/^ {2}models.*$/gm)).toEqual([
    expect.stringMatching(/^ {2}models of \d+ roles: scripted in the worker, openai\/other in this shell$/),
  ]);
});

test('a shell with the same settings has nothing to note', async () => {
  const { stderr } = await runCli(['models', '--no-check'], { environment: stack.environment, folder: stack.home });
  expect(stderr).toBe('');
});

test('a chat takes only a model that answers the worker', async () => {
  const chat = await stack.longhaul.chat('models');
  const printed: string[] = [];
  const control = { longhaul: stack.longhaul, chat: () => chat, print: (text: string) => printed.push(text) };
  const change = (model: string) => runChatCommand(control as unknown as ConversationControl, `/model ${model}`); // it asks for nothing else
  await change('vllm/gone');
  expect(printed).toEqual([
    expect.stringMatching(/^vllm\/gone does not answer: .*There is no such model here\./),
    'The model stays as it was.',
  ]);
  expect(await chat.model()).toBeNull();
  await change('openai/another');
  expect(printed.at(-1)).toBe('The model is openai/another from the next message on.');
  expect(await chat.model()).toBe('openai/another');
});

test('a conversation that begins with a model that does not answer says so before anything is typed', async () => {
  const { stderr } = await runCli(['chat', '--session', 'gone', '--model', 'vllm/gone'], {
    environment: stack.environment,
    folder: stack.home,
    typed: '/exit\n',
  });
  expect(stderr).toMatch(/^vllm\/gone does not answer: .*\nThe model stays as it was\.$/m);
});
