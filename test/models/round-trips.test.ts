import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { ModelAnswer, ModelMessage, ModelProvider, ModelRequest } from '../../domain/model/model-provider.ts';
import type { CarriedItems, RequestedToolCall } from '../../domain/run/message.ts';
import { withUniqueIds } from '../../models/conversation/unique-call-ids.ts';
import { type MisbehaviourInput, type ScriptedModel, startScriptedModel } from '../../testing/index.ts';
import { carrying, contractProviders, type ProviderName, providerNames } from '../support/contract-providers.ts';
import { withImpatientNode } from '../support/impatient-node.ts';

// An answer goes back to its provider with the next request, and the scripted model refuses what real servers refuse.
let model: ScriptedModel;
let providers: Record<ProviderName, ModelProvider>;

const read = (path: string, reasoning?: string) => ({
  tool: 'read_file',
  arguments: { path },
  ...(reasoning && { reasoning }),
});

beforeAll(async () => {
  model = await startScriptedModel({
    script: {
      entries: [
        {
          role: 'code',
          turns: [
            { text: 'I read both.', reasoning: 'First I look.', calls: [read('a.txt'), read('b.txt')] },
            { text: 'Done.' },
          ],
        },
        {
          role: 'testing', // thinks between its calls
          turns: [
            {
              text: 'One by one.',
              reasoning: 'First the one.',
              calls: [read('a.txt', 'That is a.'), read('b.txt', 'Then b.'), read('c.txt')],
            },
            { text: 'Done.' },
          ],
        },
      ],
    },
  });
  providers = await contractProviders(model.url, 60_000);
});
afterAll(() => model?.close());
afterEach(() => model.behave());

const tools = [{ name: 'read_file', description: 'Reads a file.', parameters: { type: 'object', properties: {} } }];
const asked: ModelMessage[] = [
  { role: 'system', content: { text: 'You write reports.' } },
  { role: 'user', content: { text: 'Write one.' } },
];

function request(role: string, messages: ModelMessage[], turn: number): ModelRequest {
  const labels = { Project: 'p', Run: 'r', Role: role, Turn: String(turn) };
  return { model: 'scripted', messages, tools, labels, signal: new AbortController().signal };
}

/** The conversation continued with an answer as `callModel` stores it, and a result for each call. */
function goOn({ text, toolCalls: given, carried }: ModelAnswer): ModelMessage[] {
  const toolCalls = withUniqueIds(given, () => false, '1');
  return [
    ...asked,
    { role: 'assistant', content: { text, ...(toolCalls.length && { toolCalls }), ...(carried && { carried }) } },
    ...toolCalls.map(({ id }): ModelMessage => ({ role: 'tool', content: { text: 'So it is.', toolCallId: id } })),
    ...(toolCalls.length ? [] : [{ role: 'user' as const, content: { text: 'Go on.' } }]),
  ];
}

describe.each(providerNames)('%s', (name) => {
  const create = () => providers[name];

  test.each([
    { kind: 'malformed-arguments' },
    { kind: 'wrong-arguments' },
    { kind: 'cut-off-call' },
    { kind: 'unknown-tool', name: 'multi_tool_use.parallel' },
    { kind: 'unknown-tool', name: '' },
    { kind: 'odd-ids' },
    { kind: 'duplicate-ids' },
    { kind: 'many-calls' },
    { kind: 'empty-answer' },
    { kind: 'blank-answer' },
    { kind: 'thought-only' },
    { kind: 'truncated' },
    { kind: 'filtered' },
    { kind: 'refusal' },
  ] as MisbehaviourInput[])('the request after %j is accepted', async (misbehaviour) => {
    model.misbehave(misbehaviour);
    const spoiled = await create().complete(request('code', asked, 1));
    expect(await create().complete(request('code', goOn(spoiled), 2))).toMatchObject({ text: 'I read both.' });
  });

  test('a model that thinks in silence is not cut off by Node', () =>
    withImpatientNode(200, async () => {
      model.misbehave({ kind: 'delay', milliseconds: 2500 }); // Node checks its timeouts only about once a second
      expect(await create().complete(request('code', asked, 1))).toMatchObject({ text: 'I read both.' });
    }));

  test('thoughts between calls come back in their place', async () => {
    const answer = await create().complete(request('testing', asked, 1));
    expect(answer.toolCalls).toHaveLength(3);
    const { carried } = answer;
    expect(await create().complete(request('testing', goOn(answer), 2))).toMatchObject({ text: 'Done.' });
    if (!carrying.includes(name)) return;
    const onlyThoughts = carried?.items.filter((item) => !Object.hasOwn(item as object, 'place')) ?? [];
    expect(onlyThoughts).toHaveLength(3);
    const inFront: CarriedItems = { provider: carried?.provider ?? '', items: onlyThoughts };
    await expect(create().complete(request('testing', goOn({ ...answer, carried: inFront }), 2))).rejects.toMatchObject(
      { code: 'ModelRequestRefused' },
    );
  });

  test('a transcript of another model, with its own ids and names, is accepted', async () => {
    const toolCalls: RequestedToolCall[] = [
      { id: 'functions.read_file:0', name: 'browser.tabs.open', arguments: '["a"]' },
      {
        id: 'chatcmpl-tool-0123456789abcdef0123456789abcdef0123456789abcdef0123456789',
        name: 'read_file',
        arguments: '',
      },
    ];
    const messages: ModelMessage[] = [
      ...asked,
      { role: 'assistant', content: { text: '', toolCalls, carried: { provider: 'another', items: [{ secret: 1 }] } } },
      ...toolCalls.map(({ id }): ModelMessage => ({ role: 'tool', content: { text: '', toolCallId: id } })),
      { role: 'user', content: { text: ' \n' } },
    ];
    expect(await create().complete(request('code', messages, 2))).toMatchObject({ text: 'Done.' });
  });
});
