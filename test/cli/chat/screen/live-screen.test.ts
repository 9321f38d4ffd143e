import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import picocolors from 'picocolors';
import { readMessages } from '../../../../cli/chat/input/read-messages.ts';
import { createLiveScreen } from '../../../../cli/chat/screen/live-screen.ts';
import { loadMarkdown } from '../../../../cli/render/markdown/load-markdown.ts';
import type { ChatStreamEvent } from '../../../../client/chat/chat-handle.ts';
import { createTerminalScreen } from '../../../support/terminal-screen.ts';

const colors = picocolors.createColors(false);
const markdown = await loadMarkdown(colors);
const message = 'm1';
let end = () => {};
afterEach(() => end());

function open({ columns = 40, lines = 24 } = {}) {
  const stdin = new PassThrough();
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns, rows: lines });
  const terminal = createTerminalScreen(columns, lines);
  stdout.setEncoding('utf8').on('data', (text: string) => terminal.write(text));
  const input = readMessages(
    { stdin: stdin as unknown as NodeJS.ReadStream, stdout: stdout as unknown as NodeJS.WriteStream },
    { onMessage() {}, onInterrupt() {}, onOpen() {}, onEnd() {}, complete: async () => ({ word: '', hits: [] }) },
    { moves: true },
  );
  const screen = createLiveScreen(input, {
    colors,
    markdown,
    size: () => ({ columns, rows: lines }),
    isOwn: () => false,
    formatLine: (text) => text,
  });
  end = () => {
    screen.end();
    input.close();
  };
  input.show();
  return {
    screen,
    see(...events: Array<Record<string, unknown>>) {
      for (const event of events) screen.event({ message, ...event } as ChatStreamEvent);
    },
    async press(keys: string) {
      stdin.write(keys);
      await sleep(60);
    },
    /** The rows without the spinner, which turns, and without times. */
    async rows() {
      await sleep(20);
      return terminal.rows().map((row) => row.replace(/^[⠀-⣿] /, '* ').replace(/\d+(\.\d)? s/, 'N s'));
    },
  };
}

const began = { type: 'answer.started', model: 'm', recalled: 0 };
const delta = (text: string) => ({ type: 'delta', text });
const answer = { type: 'answer', text: '' };

test('finished blocks stay, and the open one is redrawn in place above the typed text', async () => {
  const { see, press, rows } = open();
  see({ type: 'message.received', number: 1, text: 'Which trees?' }, began);
  await press('abc');
  see(delta('# Trees\n\nAsh and **horn'));
  expect(await rows()).toEqual(['> Which trees?', '# Trees', '', 'Ash and **horn', '* answering (N s)', '> abc']);
  see(delta('beam**.\n\n- one\n- t'));
  expect(await rows()).toEqual([
    ...['> Which trees?', '# Trees', '', 'Ash and hornbeam.', '', '• one', '• t', '* answering (N s)', '> abc'],
  ]);
  see(delta('wo'), answer);
  expect(await rows()).toEqual([
    ...['> Which trees?', '# Trees', '', 'Ash and hornbeam.', '', '• one', '• two', '> abc'],
  ]);
});

test('an answer longer than the screen is printed once', async () => {
  const { see, rows } = open({ lines: 10 });
  see(began);
  const lines = Array.from({ length: 60 }, (_, index) => `Sentence ${index}.`);
  for (const line of lines) see(delta(`${line}\n\n`));
  const code = Array.from({ length: 30 }, (_, index) => `line ${index}`);
  see(delta('```\n'));
  for (const line of code) see(delta(`${line}\n`));
  see(delta('```\n'), answer);
  expect((await rows()).filter(Boolean)).toEqual([...lines, '```', ...code, '```', '>']);
});

test('an answer that another worker gives again goes on in place', async () => {
  const { see, rows } = open();
  see(began, delta('One.\n\nTwo.\n\nThr'), { type: 'worker-silent' });
  expect(await rows()).toEqual([
    ...['One.', '', 'Two.', '', 'Thr'],
    ...['* No worker responds. The answer', 'continues as soon as one does. (N s)', '>'],
  ]);
  see({ type: 'answer-restarted', why: undefined }, delta('One.\n\nTw'));
  expect((await rows()).slice(0, 6)).toEqual(['One.', '', 'Two.', '', 'Thr', '* answering (N s)']);
  see(delta('o.\n\nThree.'), answer);
  expect(await rows()).toEqual(['One.', '', 'Two.', '', 'Three.', '>']);
});

test('another answer takes the place of the broken-off half', async () => {
  const { see, rows } = open();
  see({ type: 'message.received', number: 1, text: 'Count.' }, began, delta('One.\n\nTwo.\n\nThr'));
  see({ type: 'answer-restarted', why: undefined }, delta('One!'), answer);
  expect(await rows()).toEqual(['> Count.', 'One!', '>']);
});

test('a half that has left the screen stays, and the answer begins anew below it', async () => {
  const { see, rows } = open({ lines: 6, columns: 80 });
  const text = Array.from({ length: 20 }, (_, index) => `Sentence ${index}.\n\n`).join('');
  see(began, delta(text), { type: 'answer-restarted', why: 'openai/a is overloaded' }, delta('Other.'), answer);
  expect((await rows()).filter(Boolean).slice(-3)).toEqual([
    '[asked again: openai/a is overloaded; the answer starts again]',
    'Other.',
    '>',
  ]);
});

test('a tool call is one line, and thoughts are folded', async () => {
  const { screen, see, rows } = open();
  see(began, { type: 'thinking', text: 'It may be ' }, { type: 'thinking', text: 'tea.' });
  expect(await rows()).toEqual(['It may be tea.', '* thinking (N s)', '>']);
  see({ type: 'tool-began', call: '1.0', tool: 'search_memory', preview: 'tea' });
  expect(await rows()).toEqual(['[thought for N s; /show thoughts]', '* search_memory tea (N s)', '>']);
  see({ type: 'tool-ended', call: '1.0', tool: 'search_memory', failed: false, preview: 'tea → Nothing.' });
  see(delta('Nothing.'), answer);
  expect(await rows()).toEqual([
    '[thought for N s; /show thoughts]',
    '✓ search_memory tea → Nothing.',
    'Nothing.',
    '>',
  ]);
  expect(screen.thoughts()).toBe('It may be tea.');
  const about = 'npm test -- --all --of --them and more → exit 0, 6.1 s';
  see(began, { type: 'tool-ended', call: '2.0', tool: 'run_command', failed: false, preview: about }, answer);
  expect((await rows()).slice(-2)).toEqual(['✓ run_command npm te…ore → exit 0, N s', '>']);
});

test('long messages and answers of before are folded', async () => {
  const { screen, rows } = open();
  const said = Array.from({ length: 400 }, (_, index) => `line ${index}`).join('\n');
  screen.exchange({
    ...{ id: 'm0', number: 1, said, status: 'ANSWERED', reason: null, answer: '', recalled: [], recollections: [] },
    ...{ recallFailure: null, kept: [], extraction: null, createdAt: new Date(0), endedAt: new Date(0) },
    steps: [{ type: 'text', text: said.replaceAll('\n', '\n\n') }],
  });
  const shown = await rows();
  expect(shown[0]).toBe('> line 0');
  expect(shown[10]).toBe('[390 more lines]');
  expect(shown.at(-2)).toBe('[787 more lines]');
});
