import { expect, test } from '@jest/globals';
import type { ModelMessage } from '../../../domain/model/model-provider.ts';
import type { AnswerDelta } from '../../../domain/run/message.ts';
import { createOpenAiResponses } from '../../../models/openai/openai-responses.ts';

type Body = { reasoning?: { effort?: string; summary?: string }; input: unknown[]; include?: string[]; text?: unknown };

/** A provider of a server that answers with this output, unless it refuses the request. */
function serverOf(
  output: unknown[],
  refuse: (body: Body) => object | undefined = () => undefined,
  streamed: object[] = [],
) {
  const bodies: Body[] = [];
  const fetch = async (_: unknown, init?: RequestInit) => {
    const body = JSON.parse(String(init?.body)) as Body;
    bodies.push(body);
    const error = refuse(body);
    if (error) return Response.json({ error }, { status: 400 });
    const event = { type: 'response.completed', response: { status: 'completed', output } };
    const headers = { 'content-type': 'text/event-stream' };
    return new Response([...streamed, event].map((one) => `data: ${JSON.stringify(one)}\n\n`).join(''), { headers });
  };
  const provider = createOpenAiResponses({ name: 'openai', apiKey: 'k', headers: false, fetch });
  const shown: AnswerDelta[] = [];
  const ask = (messages: ModelMessage[] = [asked], model = 'gpt-5.4', reasoningEffort?: 'low') =>
    provider.complete(
      { ...{ model, messages, tools: [], labels: {}, reasoningEffort }, signal: new AbortController().signal },
      (delta) => {
        shown.push(delta);
      },
    );
  return { ask, bodies, shown };
}

const asked: ModelMessage = { role: 'user', content: { text: 'Go on.' } };
const message = (text: string, phase?: string) => ({
  ...{ type: 'message', id: 'msg', role: 'assistant', status: 'completed', ...(phase && { phase }) },
  content: [{ type: 'output_text', text, annotations: [] }],
});
const call = { type: 'function_call', id: 'fc', call_id: 'c', name: 'read_file', arguments: '{}' };
const thought = { type: 'reasoning', id: 'rs', summary: [], encrypted_content: 'sealed' };

test.each([
  ['between thoughts and a call', [thought, message('I look.', 'commentary'), call]],
  ['twice', [message('I look.', 'commentary'), call, thought, message('Done.', 'final_answer')]],
  ['without a phase', [thought, message('I look.'), call]],
])('a model is told whether its text was an answer: %s', async (_, output) => {
  const server = serverOf(output);
  const { text, toolCalls, carried } = await server.ask();
  await server.ask([asked, { role: 'assistant', content: { text, toolCalls, ...(carried && { carried }) } }]);
  const said = output.map((item) => {
    if (!('content' in item)) return item === call ? { ...call, id: undefined } : item;
    const { role, phase, content } = item as ReturnType<typeof message>;
    return { role, phase, content: content[0]?.text };
  });
  expect(server.bodies[1]?.input.slice(1)).toEqual(said);
});

test('thoughts are shown for models that think, and not requested from others', async () => {
  const server = serverOf([message('Done.')]);
  await server.ask();
  await server.ask([asked], 'gpt-5.4', 'low');
  await server.ask([asked], 'gpt-4.1');
  expect(server.bodies.map(({ reasoning }) => reasoning)).toEqual([
    { summary: 'auto' },
    { effort: 'low', summary: 'auto' },
    undefined,
  ]);
});

test('an organization that may not see thoughts can still use the model', async () => {
  const error = {
    message: 'Your organization must be verified to generate reasoning summaries.',
    ...{ type: 'invalid_request_error', param: 'reasoning.summary', code: 'unsupported_value' },
  };
  const server = serverOf([message('Done.')], ({ reasoning }) => (reasoning?.summary ? error : undefined));
  expect(await server.ask([asked], 'gpt-5.4', 'low')).toMatchObject({ text: 'Done.' });
  expect(await server.ask([asked], 'gpt-5.4', 'low')).toMatchObject({ text: 'Done.' });
  expect(server.bodies.map(({ reasoning }) => reasoning)).toEqual([
    { effort: 'low', summary: 'auto' },
    { effort: 'low' },
    { effort: 'low' }, // it is tried once
  ]);
  const strict = serverOf([], () => ({ ...error, param: 'input' }));
  await expect(strict.ask()).rejects.toMatchObject({ code: 'ModelRequestRefused' });
  expect(strict.bodies).toHaveLength(1);
});

test('a model that does not think is not asked for encrypted thoughts', async () => {
  const error = { message: 'Encrypted content is not supported with this model.', param: 'include', code: null };
  const server = serverOf([message('Done.')], ({ include }) => (include ? error : undefined));
  expect(await server.ask([asked], 'gpt-4.1-mini')).toMatchObject({ text: 'Done.' });
  expect(await server.ask([asked], 'gpt-4.1-mini')).toMatchObject({ text: 'Done.' });
  expect(server.bodies.map(({ include }) => include)).toEqual([['reasoning.encrypted_content'], undefined, undefined]);
});

test("with another organization's key a run continues without its first thoughts", async () => {
  const error = {
    message: 'The encrypted content could not be verified.',
    ...{ type: 'invalid_request_error', code: 'invalid_encrypted_content' },
  };
  const server = serverOf([thought, message('I look.', 'commentary'), call], ({ input }) =>
    JSON.stringify(input).includes('sealed') ? error : undefined,
  );
  const { text, toolCalls, carried } = await server.ask();
  const answer: ModelMessage = { role: 'assistant', content: { text, toolCalls, ...(carried && { carried }) } };
  expect(await server.ask([asked, answer])).toMatchObject({ text: 'I look.' });
  expect(server.bodies.at(-1)?.input.slice(1)).toEqual([
    { role: 'assistant', content: 'I look.', phase: 'commentary' },
    { ...call, id: undefined },
  ]);
});

test('thoughts of an open model and a refusal are streamed', async () => {
  const refused = { ...message(''), content: [{ type: 'refusal', refusal: 'I will not.' }] };
  const streamed = [
    { type: 'response.reasoning_text.delta', delta: 'May I?' },
    { type: 'response.refusal.delta', delta: 'I will ' },
    { type: 'response.refusal.delta', delta: 'not.' },
  ];
  const { ask, shown } = serverOf([refused], undefined, streamed);
  expect(await ask()).toMatchObject({ text: 'I will not.', finish: 'refusal' });
  expect(shown).toEqual([
    { type: 'reasoning', text: 'May I?' },
    { type: 'text', text: 'I will ' },
    { type: 'text', text: 'not.' },
  ]);
});
