import { mkdtemp, readdir, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ModelMessage, ModelProvider, ModelRequest } from '../../domain/model/model-provider.ts';
import type { AnswerDelta } from '../../domain/run/message.ts';
import { recordExchanges } from '../../models/cassette/record-exchanges.ts';
import { createOpenAiChat } from '../../models/openai/openai-chat.ts';
import { type CassetteReplay, replayCassette } from '../../testing/index.ts';

// Answers of llama.cpp's server, an independent implementation. The model is a toy, trained on these answers only.
// `LLAMA_SERVER_URL=http://127.0.0.1:8000/v1 npm test -- test/models/llama-server` records them anew.
const cassette = join(import.meta.dirname, 'cassettes', 'llama-server.yaml');
const recordFrom = process.env.LLAMA_SERVER_URL;
let recording: string;
let replay: CassetteReplay | undefined;
let provider: ModelProvider;

beforeAll(async () => {
  recording = await mkdtemp(join(tmpdir(), 'longhaul-recording-'));
  replay = recordFrom ? undefined : await replayCassette(cassette);
  provider = createOpenAiChat({
    name: 'vllm',
    apiKey: 'key-that-is-not-recorded',
    baseUrl: recordFrom ?? 'http://127.0.0.1:9/v1',
    headers: false,
    fetch: replay?.fetch ?? recordExchanges({ folder: recording, secrets: [] }),
  });
});
afterAll(async () => {
  replay?.finish();
  const [made] = await readdir(recording);
  if (made) await rename(join(recording, made), cassette);
});

const planner: ModelMessage = { role: 'system', content: { text: 'You plan one session of a longer project.' } };
const goal: ModelMessage = { role: 'user', content: { text: '# Goal of the project\n\nWrite hello.txt' } };
const steps = { type: 'array', items: { type: 'string' }, minItems: 1 };
const submitPlan = {
  name: 'submit_plan',
  description: 'Hands over the plan.',
  parameters: { type: 'object', properties: { steps }, required: ['steps'] },
};

function request(messages: ModelMessage[], changes: Partial<ModelRequest> = {}): ModelRequest {
  return { model: 'agent-toy', messages, tools: [], labels: {}, signal: new AbortController().signal, ...changes };
}

test('every word of a server that is not OpenAI arrives, and its tokens are counted', async () => {
  const answer = await provider.complete(
    request([{ role: 'user', content: { text: 'Answer with the one word: ready' } }]),
  );
  expect(answer).toMatchObject({ text: 'ready', toolCalls: [], finish: 'done' });
  expect(answer.usage?.inputTokens).toBeGreaterThan(10);
  expect(answer.usage?.outputTokens).toBeGreaterThan(3);
});

test('thoughts, text and tool calls are told apart and streamed', async () => {
  const deltas: AnswerDelta[] = [];
  const answer = await provider.complete(request([planner, goal], { tools: [submitPlan] }), (delta) =>
    deltas.push(delta),
  );
  expect(answer).toMatchObject({ text: expect.stringContaining('I plan.'), finish: 'done' });
  expect(answer.toolCalls).toEqual([
    { id: expect.stringMatching(/./), name: 'submit_plan', arguments: expect.any(String) },
  ]);
  expect(JSON.parse(answer.toolCalls[0]?.arguments ?? '')).toEqual({ steps: ['Write hello.txt'] });
  const said = (type: 'text' | 'reasoning') => deltas.filter((delta) => delta.type === type);
  expect(said('text').length).toBeGreaterThan(1);
  expect(
    said('reasoning')
      .map((delta) => 'text' in delta && delta.text)
      .join(''),
  ).toContain('One file.');
});

test('an answer fits the requested schema', async () => {
  const properties = { size: { type: 'string', enum: ['small', 'large'] } };
  const schema = { type: 'object', properties, required: ['size'], additionalProperties: false };
  const { text } = await provider.complete(request([planner, goal], { answerSchema: { name: 'estimate', schema } }));
  expect(['small', 'large']).toContain(JSON.parse(text).size);
});

test('a conversation that is too long for it is recognized', async () => {
  const long: ModelMessage = { role: 'assistant', content: { text: 'and so on '.repeat(500) } };
  await expect(provider.complete(request([goal, long, goal]))).rejects.toMatchObject({ code: 'ModelContextTooLong' });
});
