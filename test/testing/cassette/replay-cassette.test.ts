import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ModelProvider, ModelRequest } from '../../../domain/model/model-provider.ts';
import type { AnswerDelta } from '../../../domain/run/message.ts';
import { createAnthropic } from '../../../models/anthropic/anthropic.ts';
import { recordExchanges } from '../../../models/cassette/record-exchanges.ts';
import type { ProviderOptions } from '../../../models/create-provider.ts';
import { createOpenAiChat } from '../../../models/openai/openai-chat.ts';
import { createOpenAiResponses } from '../../../models/openai/openai-responses.ts';
import { replayCassette, type ScriptedModel, startScriptedModel } from '../../../testing/index.ts';

const text = 'What the report is about, in as many words as it takes to fill several pieces of a stream.';
let model: ScriptedModel;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longhaul-cassettes-'));
  const calls = [{ tool: 'read_file', arguments: { path: 'a.txt' } }];
  model = await startScriptedModel({ script: { entries: [{ role: 'code', turns: [{ text, calls }] }] } });
});
afterAll(async () => {
  await model?.close();
  await rm(folder, { recursive: true });
});

const nowhere = 'http://127.0.0.1:9'; // nothing listens on the discard port
const providers: Array<[string, string, (options: ProviderOptions) => ModelProvider]> = [
  ['OpenAI chat', '/v1', createOpenAiChat],
  ['OpenAI responses', '/v1', createOpenAiResponses],
  ['Anthropic', '', createAnthropic],
];

function request(said = 'Write one.'): ModelRequest {
  return {
    model: 'scripted',
    messages: [{ role: 'user', content: { text: said } }],
    tools: [{ name: 'read_file', description: 'Reads a file.', parameters: { type: 'object', properties: {} } }],
    labels: { Run: 'r', Role: 'code', Turn: '1' },
    signal: new AbortController().signal,
  };
}

describe.each(providers)('%s', (name, path, create) => {
  const options = { name: 'one', apiKey: 'key-of-a-provider', headers: true };
  let file: string;
  let recorded: [unknown, AnswerDelta[]];

  async function complete(provider: ModelProvider, asked = request()): Promise<[unknown, AnswerDelta[]]> {
    const deltas: AnswerDelta[] = [];
    const { firstTokenMs: _, ...answer } = await provider.complete(asked, (delta) => deltas.push(delta));
    return [answer, deltas];
  }

  beforeAll(async () => {
    const own = join(folder, name);
    const baseUrl = model.url.replace(/\/v1$/, path);
    recorded = await complete(create({ ...options, baseUrl, fetch: recordExchanges({ folder: own, secrets: [] }) }));
    const [recording] = await readdir(own);
    file = join(own, String(recording));
  });

  test('a replayed answer is the recorded one, streamed as it was', async () => {
    const replay = await replayCassette(file);
    expect(await complete(create({ ...options, baseUrl: nowhere + path, fetch: replay.fetch }))).toEqual(recorded);
    expect(recorded).toMatchObject([{ text }, expect.anything()]);
    replay.finish();
  });

  test('a request that differs from the recorded one is refused', async () => {
    const replay = await replayCassette(file);
    const provider = create({ ...options, baseUrl: nowhere + path, fetch: replay.fetch });
    const different = /Its next one is different: body\.(messages|input).*expected "Write one.*got "Write two/;
    await expect(complete(provider, request('Write two.'))).rejects.toThrow(different);
    await complete(provider);
    expect(() => replay.finish()).toThrow(different); // even though the error was caught above
  });

  test('a request too many is refused, and one too few is noticed', async () => {
    const replay = await replayCassette(file);
    expect(() => replay.finish()).toThrow(/^1 exchanges of .* were not asked for\.$/);
    const provider = create({ ...options, baseUrl: nowhere + path, fetch: replay.fetch });
    await complete(provider);
    await expect(complete(provider)).rejects.toThrow(/has no exchange for POST .*: it ran out\./);
  });
});

test('a file that is not a cassette is an error', async () => {
  const file = join(folder, 'other.yaml');
  await writeFile(file, '');
  await expect(replayCassette(file)).rejects.toThrow(/^Expected recorded exchanges in .*other\.yaml, found none\.$/);
  await writeFile(file, '---\nat: today\n');
  await expect(replayCassette(file)).rejects.toThrow(/other\.yaml, exchange 1: /);
});
