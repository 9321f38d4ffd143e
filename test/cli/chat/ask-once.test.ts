import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import { askOnce } from '../../../cli/chat/ask-once.ts';
import type { CommandLine } from '../../../cli/program/command-context.ts';
import { createCommandContext } from '../../../cli/program/create-command-context.ts';
import type { ChatHandle, ChatStreamEvent } from '../../../client/chat/chat-handle.ts';

/** What is printed to stdout and stderr of an answer with these events. */
async function printedOf(...events: ChatStreamEvent[]): Promise<string> {
  const output = new PassThrough();
  const line = { environment: {}, folder: '/', stdin: new PassThrough(), stdout: output, stderr: output };
  const context = createCommandContext(line as unknown as CommandLine, {
    interruptSignal: () => new AbortController().signal,
    setExitCode() {},
  });
  async function* send() {
    yield* events;
  }
  await askOnce(context, { send } as unknown as ChatHandle, { question: 'Read it.', typed: 'Read it.' });
  return output.setEncoding('utf8').read();
}

test("text of tools, pages and providers cannot control the terminal or look like Longhaul's lines", async () => {
  const message = 'm1';
  const raw = 'a\u001b[2J\nb';
  const shown = 'a\u241b[2J b';
  const tool = { type: 'tool-ended' as const, message, call: '1.0', tool: 'fetch_url', failed: false, preview: raw };
  const restarted = { type: 'answer-restarted' as const, message, why: raw };
  expect(await printedOf(tool, restarted, { type: 'answer', message, text: 'Read.', limit: raw })).toBe(
    `✓ fetch_url ${shown}\nAsked again: ${shown}\nRead.\n${shown}\n`,
  );
  expect(await printedOf({ type: 'failure', message, stopped: false, reason: raw })).toBe(`No answer: ${shown}\n`);
});

test('an outage is told once, in a pipe as one line and on a terminal in place, and the answer stands alone', async () => {
  const message = 'm1';
  const why = 'Could not reach openai: connect ECONNREFUSED 127.0.0.1:9.';
  const delayed = { type: 'answer-delayed' as const, message, why };
  const restarted = { type: 'answer-restarted' as const, message, why: undefined };
  const other = { ...delayed, why: `${why} (request 2)` };
  const events = [delayed, restarted, other, restarted, { type: 'answer' as const, message, text: 'Read **it**.' }];
  expect(await printedOf(...events)).toBe(`${why} Asking again.\nRead **it**.\n`);
  const [stdout, stderr] = [
    new PassThrough(),
    Object.assign(new PassThrough(), { isTTY: true, columns: 200, rows: 24 }),
  ];
  const line = { environment: { TERM: 'xterm' }, folder: '/', stdin: new PassThrough(), stdout, stderr };
  const context = createCommandContext(line as unknown as CommandLine, {
    interruptSignal: () => new AbortController().signal,
    setExitCode() {},
  });
  async function* send() {
    yield* events;
  }
  expect(await askOnce(context, { send } as unknown as ChatHandle, { question: 'Read it.', typed: 'Read it.' })).toBe(
    0,
  );
  const shown: string = stderr.setEncoding('utf8').read();
  expect(shown).toContain(`${why} (request 2) Asking again (0 s)`);
  expect(shown).not.toContain('Asking again.');
  expect(stdout.setEncoding('utf8').read()).toBe('Read **it**.\n');
});

test('a remark of several lines keeps its lines and loses control characters', () => {
  const stderr = new PassThrough();
  const line = { environment: {}, folder: '/', stderr } as unknown as CommandLine; // it asks for nothing else
  const context = createCommandContext(line, {
    interruptSignal: () => new AbortController().signal,
    setExitCode() {},
  });
  context.note('- tests: they fail:\n\u001b[2Jall is well');
  expect(stderr.setEncoding('utf8').read()).toBe('- tests: they fail:\n\u241b[2Jall is well\n');
});

test.each([
  [
    'a worker that is gone',
    { received: true },
    'Your message is stored, and is answered or stopped once a worker runs.',
  ],
  ['servers that never answered', { received: false }, 'No server has answered, so the message may not be stored.'],
])(
  'Ctrl-C ends the command in spite of %s',
  async (_, { received }, expected) => {
    const output = new PassThrough();
    const line = { environment: {}, folder: '/', stdin: new PassThrough(), stdout: output, stderr: output };
    const interrupt = new AbortController();
    const context = createCommandContext(line as unknown as CommandLine, {
      interruptSignal: () => interrupt.signal,
      setExitCode() {},
    });
    async function* send() {
      if (received) yield { type: 'message.received' as const, message: 'm1', number: 1, text: 'Read it.' };
      setImmediate(() => interrupt.abort());
      await new Promise(() => {}); // no further event, even when nobody listens any more
    }
    const chat = { name: 'garden', send, stop: async () => {} } as unknown as ChatHandle;
    expect(await askOnce(context, chat, { question: 'Read it.', typed: 'Read it.' })).toBe(130);
    expect(output.setEncoding('utf8').read()).toContain(expected);
  },
  10_000,
);
