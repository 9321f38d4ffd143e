import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type OpenAI from 'openai';
import { type ScriptedModel, startScriptedModel } from '../../../testing/index.ts';
import { connect, headers, says, tools } from './connect.ts';

const content = `def total(entries):\n${'    # größer als ein Stück\n'.repeat(20)}    return 0\n`;
const script = {
  model: 'scripted-test',
  startAgainAfter: 'the workspace was lost',
  entries: [
    { role: 'code', turns: [{ text: 'For any feature.' }] },
    {
      role: 'code',
      feature: 'report',
      turns: [
        { text: 'I write it.', calls: [{ tool: 'write_file', arguments: { path: 'total.py', content } }] },
        { calls: [{ tool: 'run_command', arguments: { command: 'pytest' } }, { tool: 'git_diff' }] },
      ],
    },
    { role: 'code', feature: 'report', attempt: 2, turns: [{ text: 'Again.', expect: ['whole cents'] }] },
    { role: 'chat', after: 'name', turns: [{ text: 'Ada.' }] },
    { role: 'chat', after: 'again', turns: [{ text: 'Once.' }, { text: 'Twice.' }] },
    { role: 'planner', feature: 'Ausgaben & mehr', turns: [{ text: 'A plan.' }] },
  ],
};
const offered = tools('write_file', 'run_command', 'git_diff');

let model: ScriptedModel;
let client: OpenAI;
beforeAll(async () => {
  model = await startScriptedModel({ script });
  client = connect(model.url);
});
afterAll(() => model.close());

test('a streamed answer adds up to the one that is not streamed, calls and usage included', async () => {
  const request = { model: 'any', messages: says('Go.'), tools: offered };
  const whole = await client.chat.completions.create(request, { headers: headers() });
  const stream = client.chat.completions.stream(
    { ...request, stream_options: { include_usage: true } },
    { headers: headers() },
  );
  let chunks = 0;
  for await (const chunk of stream) chunks += chunk.choices.length;
  const streamed = await stream.finalChatCompletion();
  expect(chunks).toBeGreaterThan(5);
  expect(whole.choices[0]?.finish_reason).toBe('tool_calls');
  expect(streamed.choices[0]?.message).toMatchObject({ content: 'I write it.' });
  const calls = whole.choices[0]?.message.tool_calls ?? [];
  expect(calls).toHaveLength(1);
  expect(streamed.choices[0]?.message.tool_calls).toMatchObject(calls);
  expect(JSON.parse(calls[0]?.type === 'function' ? calls[0].function.arguments : '')).toEqual({
    path: 'total.py',
    content,
  });
  expect(streamed.usage).toEqual(whole.usage);
});

test('a stream that did not ask for usage is not sent any', async () => {
  const stream = await client.chat.completions.create(
    { model: 'any', messages: says('Go.'), tools: offered, stream: true },
    { headers: headers() },
  );
  for await (const chunk of stream) {
    expect(chunk.usage ?? undefined).toBeUndefined();
    expect(chunk.choices).toHaveLength(1);
  }
});

test('usage grows with the request and the answer, at four characters a token', async () => {
  const ask = (message: string) =>
    client.chat.completions.create(
      { model: 'any', messages: says(message) },
      { headers: headers({ feature: 'other' }) },
    );
  const short = await ask('Go.');
  const long = await ask('Go.'.repeat(400));
  expect(short.usage).toEqual({ prompt_tokens: 1, completion_tokens: 4, total_tokens: 5 });
  expect(long.usage?.prompt_tokens).toBe(300);
});

test('the same turn asked again, also of a restarted server, is answered the same', async () => {
  const request = { model: 'any', messages: says('Go.'), tools: offered };
  const first = await client.chat.completions.create(request, { headers: headers({ turn: 2 }) });
  const other = await startScriptedModel({ script });
  try {
    const again = await connect(other.url).chat.completions.create(request, { headers: headers({ turn: 2 }) });
    expect(again.choices).toEqual(first.choices);
    expect(again.id).toBe(first.id);
  } finally {
    await other.close();
  }
});

test('the entry that says most about a request answers it', async () => {
  const ask = async (feature: string, attempt: number) => {
    const completion = await client.chat.completions.create(
      { model: 'any', messages: says('Amounts are whole cents.'), tools: offered },
      { headers: headers({ feature, attempt }) },
    );
    return completion.choices[0]?.message.content;
  };
  expect(await ask('import', 1)).toBe('For any feature.');
  expect(await ask('report', 1)).toBe('I write it.');
  expect(await ask('report', 2)).toBe('Again.');
  expect(await ask('report', 3)).toBe('I write it.');
});

test('a feature name with spaces and signs survives the header', async () => {
  const completion = await client.chat.completions.create(
    { model: 'any', messages: says('Plan.') },
    { headers: headers({ role: 'planner', feature: 'Ausgaben & mehr' }) },
  );
  expect(completion.choices[0]?.message.content).toBe('A plan.');
});

test('an agent that is told of a lost workspace starts over', async () => {
  const completion = await client.chat.completions.create(
    {
      model: 'any',
      messages: [
        ...says('Go.'),
        { role: 'assistant', content: 'I write it.' },
        { role: 'user', content: 'Note: the workspace was lost.' },
      ],
      tools: offered,
    },
    { headers: headers({ turn: 2 }) },
  );
  expect(completion.choices[0]?.message.content).toBe('I write it.');
});

test('a client that lists the models finds the scripted one', async () => {
  const models = await client.models.list();
  expect(models.data.map((listed) => listed.id)).toEqual(['scripted-test']);
});

test('in a chat the latest words of a person say which entry answers, and its turns are counted from there', async () => {
  const at = { headers: headers({ role: 'chat', turn: 7 }) };
  const ask = async (messages: ReturnType<typeof says>) =>
    (await client.chat.completions.create({ model: 'any', messages }, at)).choices[0]?.message.content;
  const before = [...says('Say it again'), { role: 'assistant' as const, content: 'Once.' }];
  expect(await ask(says('What is my name?'))).toBe('Ada.');
  expect(await ask(before)).toBe('Twice.');
  expect(await ask([...before, ...says('And my name?')])).toBe('Ada.');
  await expect(ask(says('Something else'))).rejects.toThrow(/The script has no entry for role chat/);
});
