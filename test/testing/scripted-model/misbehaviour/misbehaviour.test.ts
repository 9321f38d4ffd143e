import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type OpenAI from 'openai';
import { APIConnectionError, APIError } from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { type MisbehaviourInput, type ScriptedModel, startScriptedModel } from '../../../../testing/index.ts';
import { connect, headers, says, tools, type Where } from '../connect.ts';

let model: ScriptedModel;
let client: OpenAI;
beforeEach(async () => {
  const call = { tool: 'write_file', arguments: { path: 'a.py', content: 'x'.repeat(2_000) } };
  model = await startScriptedModel({
    script: {
      entries: [
        { role: 'code', turns: [{ calls: [call] }, { text: 'Second.' }] },
        {
          role: 'testing',
          turns: [
            { text: 'Late.', misbehave: { kind: 'status', status: 503 } },
            { text: 'Right.', misbehave: { kind: 'empty-answer', times: 2 } },
          ],
        },
      ],
    },
  });
  client = connect(model.url);
});
afterEach(() => model.close());

function ask(where: Where = {}, messages: ChatCompletionMessageParam[] = says('Go.'), timeout = 60_000) {
  return client.chat.completions.create(
    { model: 'any', messages, tools: tools('write_file') },
    { headers: headers(where), timeout },
  );
}

async function failure(promise: PromiseLike<unknown>): Promise<unknown> {
  return promise.then(
    () => {
      throw new Error('Expected a failure, got an answer.');
    },
    (reason: unknown) => reason,
  );
}

test('a rate limit says when to come back and is over after its times', async () => {
  model.misbehave({ kind: 'rate-limit', retryAfterSeconds: 7 }, { times: 2 });
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const error = await failure(ask());
    expect(error).toBeInstanceOf(APIError);
    expect((error as APIError).status).toBe(429);
    expect((error as APIError).headers?.get('retry-after')).toBe('7');
  }
  await ask();
  expect(model.requests().map((request) => request.outcome)).toEqual(['failed', 'failed', 'answered']);
});

test('only the requests that match misbehave', async () => {
  model.misbehave({ kind: 'status' }, { match: { feature: 'import', turn: 1 } });
  await ask({ feature: 'report' });
  await ask({ feature: 'import', turn: 2 });
  expect(((await failure(ask({ feature: 'import' }))) as APIError).status).toBe(500);
});

test('a cut stream ends in an error after some of it came, and the same turn is answered when asked again', async () => {
  model.misbehave({ kind: 'cut-stream' }, { times: 2 });
  const stream = await client.chat.completions.create(
    { model: 'any', messages: says('Go.'), tools: tools('write_file'), stream: true },
    { headers: headers() },
  );
  let chunks = 0;
  const read = async () => {
    for await (const _chunk of stream) chunks += 1;
  };
  expect(await failure(read())).toMatchObject({ message: expect.stringMatching(/terminated|aborted|closed/) });
  expect(chunks).toBeGreaterThan(3);
  expect(await failure(ask())).toBeDefined();
  expect((await ask()).choices[0]?.message.tool_calls).toHaveLength(1);
  expect(model.requests().map((request) => request.outcome)).toEqual(['failed', 'failed', 'answered']);
});

test('a reset connection is a connection error', async () => {
  model.misbehave({ kind: 'connection-reset' });
  expect(await failure(ask())).toBeInstanceOf(APIConnectionError);
});

test('a server that hangs is given up on by the client and logged as left', async () => {
  model.misbehave({ kind: 'hang' });
  expect(await failure(ask({}, says('Go.'), 2_000))).toBeInstanceOf(APIConnectionError);
  await ask({ turn: 2 });
  while (model.requests()[0]?.outcome === 'open') await sleep(10);
  expect(model.requests()[0]).toMatchObject({ turn: 1, outcome: 'left', misbehaviour: 'hang' });
});

test('a delay holds the answer back and a client that leaves meanwhile is not counted as answered', async () => {
  model.misbehave({ kind: 'delay', milliseconds: 300 });
  model.misbehave({ kind: 'delay', milliseconds: 60_000 }); // for the one that leaves, however busy the machine is
  const begin = Date.now();
  await ask();
  expect(Date.now() - begin).toBeGreaterThanOrEqual(290);
  await failure(ask({}, says('Go.'), 2_000));
  await ask();
  while (model.requests().some(({ outcome }) => outcome === 'open')) await sleep(10);
  expect(model.requests().map((request) => request.outcome)).toEqual(['answered', 'left', 'answered']);
});

test.each<[MisbehaviourInput['kind'], (tool: string, argument: string) => void]>([
  ['malformed-arguments', (_tool, argument) => expect(() => JSON.parse(argument)).toThrow()],
  ['wrong-arguments', (_tool, argument) => expect(JSON.parse(argument)).not.toHaveProperty('path')],
  ['unknown-tool', (tool) => expect(tool).not.toBe('write_file')],
])('%s does not use up the turn it replaced', async (kind, check) => {
  model.misbehave({ kind } as MisbehaviourInput);
  const spoiled = (await ask()).choices[0]?.message;
  const [call] = spoiled?.tool_calls ?? [];
  if (spoiled === undefined || call?.type !== 'function') throw new Error('Expected a call.');
  check(call.function.name, call.function.arguments);
  const conversation: ChatCompletionMessageParam[] = [
    ...says('Go.'),
    { ...spoiled, tool_calls: [{ ...call, function: { ...call.function, arguments: '{}' } }] },
    { role: 'tool', tool_call_id: call.id, content: 'That was wrong.' },
  ];
  const next = (await ask({ turn: 2 }, conversation)).choices[0]?.message;
  expect(next?.tool_calls?.[0]).toMatchObject({ function: { name: 'write_file' } });
});

test.each<MisbehaviourInput['kind']>(['empty-answer', 'text-instead-of-call'])(
  '%s calls nothing and does not use up the turn it replaced',
  async (kind) => {
    model.misbehave({ kind } as MisbehaviourInput);
    const spoiled = (await ask()).choices[0]?.message;
    if (spoiled === undefined) throw new Error('Expected a message.');
    expect(spoiled.tool_calls).toBeUndefined();
    const said = { ...spoiled, content: spoiled.content || '(no answer)' };
    const conversation = [...says('Go.'), said, ...says('Call a tool.')];
    expect((await ask({ turn: 2 }, conversation)).choices[0]?.message.tool_calls).toHaveLength(1);
  },
);

test('a misbehaviour in the script happens as often as it says and then the turn is answered', async () => {
  const asked = { role: 'testing', turn: 1 };
  expect(((await failure(ask(asked))) as APIError).status).toBe(503);
  expect((await ask(asked)).choices[0]?.message.content).toBe('Late.');
  const empty: ChatCompletionMessageParam = { role: 'assistant', content: '(no answer)' };
  const late: ChatCompletionMessageParam = { role: 'assistant', content: 'Late.' };
  const answer = async (turn: number, messages: ChatCompletionMessageParam[]) =>
    (await ask({ role: 'testing', turn }, messages)).choices[0]?.message.content;
  expect(await answer(2, [...says('Go.'), late])).toBeNull();
  expect(await answer(3, [...says('Go.'), late, empty])).toBeNull();
  expect(await answer(4, [...says('Go.'), late, empty, empty])).toBe('Right.');
});

test('another process can tell it to misbehave and read what was asked', async () => {
  const control = new URL('/control', model.url);
  const rule = { match: { role: 'code' }, misbehave: { kind: 'status', status: 500 }, times: 5 };
  const added = await fetch(control, { method: 'POST', body: JSON.stringify(rule) });
  expect(added.status).toBe(200);
  expect(((await failure(ask())) as APIError).status).toBe(500);
  await fetch(control, { method: 'DELETE' });
  await ask();
  const requests = (await (await fetch(new URL('/control/requests', model.url))).json()) as unknown[];
  expect(requests).toHaveLength(2);
  expect(requests[1]).toMatchObject({
    project: 'p',
    run: 'p-s1-work',
    role: 'code',
    feature: 'report',
    attempt: 1,
    turn: 1,
    outcome: 'answered',
    at: expect.stringMatching(/^\d{4}-.*Z$/),
  });
});

test('a misbehaviour that does not exist is refused with its name', async () => {
  const response = await fetch(new URL('/control', model.url), {
    method: 'POST',
    body: JSON.stringify({ misbehave: { kind: 'sulk' } }),
  });
  expect(response.status).toBe(400);
  expect(JSON.stringify(await response.json())).toContain('misbehave.kind');
});
