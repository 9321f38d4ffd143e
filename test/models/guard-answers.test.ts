import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { createModels } from '../../models/create-models.ts';
import { openOpenAiEmbedder } from '../../models/embedding/openai-embedder.ts';
import { guardAnswers } from '../../models/guard-answers.ts';

const eventStream = { 'content-type': 'text/event-stream' };
/** Bytes that the server sends unless the connection is closed. */
const endless = 128 * 1024 * 1024;

let server: Server;
let sent = 0;
const asked: string[] = [];

/** Sends a chunk again and again, as fast as it is read. */
function pour(response: ServerResponse, chunk: string): void {
  while (sent < endless) {
    sent += chunk.length;
    if (!response.write(chunk)) return void response.once('drain', () => pour(response, chunk));
  }
  response.end();
}

const event = (delta: object) => `data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`;
const called = (part: string) =>
  event({ tool_calls: [{ index: 0, id: 'one', function: { name: 'f', arguments: part } }] });

const askForVectors = (baseUrl: string) => openOpenAiEmbedder({ name: 'vllm', model: 'm', headers: false, baseUrl });

const withoutEnd: Record<string, (response: ServerResponse) => void> = {
  'one-line': (response) => pour(response.writeHead(200, eventStream), 'data: '.padEnd(65_536, 'x')),
  'one-line-of-no-type': (response) => pour(response.writeHead(200), 'x'.repeat(65_536)),
  words: (response) => pour(response.writeHead(200, eventStream), event({ content: 'x'.repeat(65_536) })),
  thoughts: (response) => pour(response.writeHead(200, eventStream), event({ reasoning: 'x'.repeat(65_536) })),
  calls: (response) => {
    const calls = Array.from({ length: 1_000 }, (_, index) => ({ id: index % 2 ? 'a' : 'b' }));
    pour(response.writeHead(200, eventStream), event({ tool_calls: calls }));
  },
  arguments: (response) => pour(response.writeHead(200, eventStream), called('x'.repeat(65_536))),
};

/** Sends a word now and then, for as long as somebody listens. */
function drip(response: ServerResponse): void {
  response.writeHead(200, eventStream);
  const timer = setInterval(() => response.write(event({ content: 'word ' })), 20);
  response.once('close', () => clearInterval(timer));
}

const answers: typeof withoutEnd = {
  ...withoutEnd,
  slow: drip,
  events: (response) => pour(response.writeHead(200, eventStream), ':\n\n'.repeat(20_000)),
  comments: (response) => pour(response.writeHead(200, eventStream), ': thinking\n'.repeat(6_000)),
  vectors(response) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"data":[{"index":0,"embedding":[1,0]}],"more":"');
    pour(response, 'x'.repeat(65_536));
  },
  'no-json': (response) =>
    response.writeHead(200, eventStream).end(`data: \u001b]52;c;ZXZpbA==\u0007${'x'.repeat(1_000)}\n\n`),
  deep: (response) =>
    response.writeHead(200, eventStream).end(`data: {"choices":${'['.repeat(5_000)}${']'.repeat(5_000)}}\n\n`),
  'many-lines': (response) => response.writeHead(200, eventStream).end(`${':\n'.repeat(2_000_000)}\n`),
  'an-error': (response) => pour(response.writeHead(400), 'x\n'.repeat(32_768)),
  // The words would have the clients take it for a time-out.
  moved: (response) => response.writeHead(307, { location: '/elsewhere?timeout' }).end(),
  'a-page': (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Router</title>'),
};

beforeAll(async () => {
  server = createServer((request, response) => {
    sent = 0;
    const [, name = ''] = request.url?.split('/') ?? [];
    asked.push(name);
    answers[name]?.(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

interface Limits {
  answerMinutes?: number;
  signal?: AbortSignal;
}
const ask = (
  provider: string,
  baseUrl: string,
  { answerMinutes, signal = new AbortController().signal }: Limits = {},
) =>
  createModels({ providers: { [provider]: { baseUrl, headers: false } }, answerMinutes }).complete(`${provider}/m`, {
    messages: [{ role: 'user', content: { text: 'Hello' } }],
    tools: [],
    labels: {},
    signal,
  });
const baseOf = (name: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/${name}`;

test.each(Object.keys(withoutEnd))('a server that sends without end is left: %s', async (name) => {
  await expect(ask('openai', baseOf(name))).rejects.toMatchObject({ code: 'ModelAnswerTooLong', retryable: false });
  expect(sent).toBeLessThan(endless / 4);
});

test('so is one whose error has no end', async () => {
  await expect(ask('openai', baseOf('an-error'))).rejects.toMatchObject({ code: 'ModelRequestRefused' });
  expect(sent).toBeLessThan(endless / 4);
});

test('so is one whose vectors have no end', async () => {
  await expect(askForVectors(baseOf('vectors'))).rejects.toMatchObject({ code: 'ModelAnswerTooLong' });
  expect(sent).toBeLessThan(endless / 2);
});

test.each([
  ['chat/completions', (baseUrl: string) => ask('vllm', baseUrl)],
  ['embeddings', askForVectors],
])('a web page names its address, and is not asked again: %s', async (path, send) => {
  asked.length = 0;
  const error = send(baseOf('a-page'));
  await expect(error).rejects.toMatchObject({ code: 'ModelNotFound', retryable: false });
  await expect(error).rejects.toThrow(
    `/a-page/${path} answered with a web page, most likely because the base URL is wrong. It begins: <title>Router</title>`,
  );
  expect(asked).toEqual(['a-page']);
});

test('an event that is nested without end is no answer', async () => {
  await expect(ask('vllm', baseOf('deep'))).rejects.toThrow('nested more than 100 levels deep');
});

test.each([
  ['chat', (baseUrl: string) => ask('vllm', baseUrl)],
  ['responses', (baseUrl: string) => ask('openai', baseUrl)],
  ['anthropic', (baseUrl: string) => ask('anthropic', baseUrl)],
  ['embeddings', askForVectors],
])('a redirect is neither followed nor asked for again: %s', async (_name, send) => {
  asked.length = 0;
  const error = send(baseOf('moved'));
  await expect(error).rejects.toMatchObject({ code: 'ModelNotFound', retryable: false });
  await expect(error).rejects.toThrow(/^http:.+\/moved\/\S+ redirects to \/elsewhere/);
  expect(asked).toEqual(['moved']);
});

test('a server that sends slowly without end is left after the longest time of an answer', async () => {
  const error = ask('openai', baseOf('slow'), { answerMinutes: 0.005 });
  await expect(error).rejects.toMatchObject({ code: 'ModelAnswerTooLong', retryable: false });
  await expect(error).rejects.toThrow('it took more than 0.005 minutes (LONGHAUL_ANSWER_MINUTES)');
});

test.each([...Object.keys(withoutEnd), 'slow'])(
  'a stop takes under a second while a server sends: %s',
  async (name) => {
    const stop = new AbortController();
    const answered = ask('openai', baseOf(name), { signal: stop.signal });
    answered.catch(() => {}); // some are left before the stop
    await new Promise((resolve) => setTimeout(resolve, 5));
    const since = performance.now();
    stop.abort(new Error('stopped'));
    await expect(answered).rejects.toThrow();
    expect(performance.now() - since).toBeLessThan(1_000);
  },
);

test.each(['events', 'comments'])('endless short %s are left too', async (name) => {
  await expect(ask('openai', baseOf(name))).rejects.toMatchObject({ code: 'ModelAnswerTooLong' });
});

test('the client of Anthropic leaves it too', async () => {
  await expect(ask('anthropic', baseOf('one-line'))).rejects.toMatchObject({ code: 'ModelAnswerTooLong' });
});

test.each(['openai', 'vllm', 'anthropic'])(
  'an event that is not JSON is named, and not printed: %s',
  async (provider) => {
    const printed = jest.spyOn(console, 'error').mockReturnValue();
    try {
      await expect(ask(provider, baseOf('no-json'))).rejects.toMatchObject({
        code: 'ModelUnreachable',
        message: expect.stringMatching(/unreadable: an event of it is not JSON: \uFFFD\]52;c;ZXZpbA==\uFFFDx+…$/),
      });
      expect(printed).not.toHaveBeenCalled();
    } finally {
      printed.mockRestore();
    }
  },
);

test('an event of many lines does not occupy the process', async () => {
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 5);
  await expect(ask('vllm', baseOf('many-lines'))).rejects.toMatchObject({
    code: 'ModelAnswerTooLong',
    message: expect.stringContaining('10000 lines'),
  });
  clearInterval(timer);
  expect(longest).toBeLessThan(1_000);
});

describe('what is handed on of a stream', () => {
  /** Of these bytes, which come in pieces of a size. */
  async function guarded(text: string, size: number): Promise<string> {
    const bytes = Buffer.from(text);
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    );
    const response = await guardAnswers(async () => new Response(ReadableStream.from(pieces)))('http://127.0.0.1:9');
    return response.text();
  }

  test.each([
    ['events', 'event: a\ndata: {"b":"ä 😀"}\n\ndata: 2\n\n', 'event: a\ndata: {"b":"ä 😀"}\n\ndata: 2\n\n'],
    [
      'other line breaks',
      'event:a\r\ndata:1\r\n\r\ndata: 2\r\rdata:  3\n\rdata: 4\n\n',
      'event: a\ndata: 1\n\ndata: 2\n\ndata:  3\n\ndata: 4\n\n',
    ],
    ['data of several lines', 'data: {\ndata: "a": 1}\n\n', 'data: {\ndata: "a": 1}\n\n'],
    ['no comments and other fields', ': waiting\n\n: more\nid: 1\nretry: 2\ndata: 1\n\n', 'data: 1\n\n'],
    ['no events without data', 'event: ping\n\ndata:\n\ndata: 1\n\n', 'data: 1\n\n'],
    ['nothing after the end', 'data: 1\n\ndata: [DONE]\n\ndata: broken\n\n', 'data: 1\n\n'],
    ['no half an event', 'data: 1\n\ndata: {"a"', 'data: 1\n\n'],
  ])('%s', async (_what, text, expected) => {
    for (const size of [1, 2, 3, 1_000]) expect(await guarded(text, size)).toBe(expected);
  });
});
