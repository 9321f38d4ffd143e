import { expect, test } from '@jest/globals';
import type { AnswerDelta } from '../../../domain/run/message.ts';
import { createOpenAiChat } from '../../../models/openai/openai-chat.ts';

/** Asks a server that streams these chunks; the answer, and what was shown of it while it came. */
async function ask(chunks: object[]) {
  const events = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('');
  const fetch = async () =>
    new Response(`${events}data: [DONE]\n\n`, { headers: { 'content-type': 'text/event-stream' } });
  const provider = createOpenAiChat({ name: 'openai', baseUrl: 'http://127.0.0.1:9/v1', headers: false, fetch });
  const { signal } = new AbortController();
  const messages = [{ role: 'user' as const, content: { text: 'Go on.' } }];
  const shown: AnswerDelta[] = [];
  const answer = await provider.complete({ model: 'm', messages, tools: [], labels: {}, signal }, (delta) => {
    shown.push(delta);
  });
  return { answer, shown };
}

const saying = (...deltas: object[]) => [
  ...deltas.map((delta) => ({ choices: [{ delta }] })),
  { choices: [{ delta: {}, finish_reason: 'stop' }] },
];

test('thoughts and words of a Mistral model are read as text', async () => {
  const text = (said: string) => ({ type: 'text', text: said });
  const thinking = (thought: string) => ({ content: [{ type: 'thinking', thinking: [text(thought)] }] });
  const { answer, shown } = await ask(
    saying(
      thinking('First '),
      thinking('I look.'),
      { content: [text('It '), { type: 'reference', reference_ids: [1] }, text('is')] },
      { content: ' here.' },
    ),
  );
  expect(answer).toMatchObject({ text: 'It is here.', finish: 'done' });
  expect(shown).toEqual([
    { type: 'reasoning', text: 'First ' },
    { type: 'reasoning', text: 'I look.' },
    { type: 'text', text: 'It ' },
    { type: 'text', text: 'is' },
    { type: 'text', text: ' here.' },
  ]);
});

test('a refusal is streamed', async () => {
  const { answer, shown } = await ask(saying({ refusal: 'I will ' }, { refusal: 'not.' }));
  expect(answer).toMatchObject({ text: 'I will not.', finish: 'refusal' });
  expect(shown).toEqual(['I will ', 'not.'].map((text) => ({ type: 'text', text })));
});

test.each([
  [402, 'ModelQuotaSpent'],
  [400, 'ModelRequestRefused'],
  ['429', 'ModelRateLimited'],
  ['server_error', 'ModelServerError'],
  [0, 'ModelServerError'],
])('an error in the middle of an answer with the code %p is not taken for a server error', async (codeSent, code) => {
  const started = saying({ content: 'It ' }).slice(0, 1);
  await expect(ask([...started, { error: { code: codeSent, message: 'It went wrong.' } }])).rejects.toMatchObject({
    code,
  });
});
