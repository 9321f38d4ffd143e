import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { call } from '../../support/stack/scripts.ts';
import { type ServiceStack, startServiceStack } from '../../support/stack/service-stack.ts';
import { openTerminal, type Terminal } from '../../support/stack/terminal.ts';

const sentences = Array.from({ length: 40 }, (_, index) => `Sentence ${index} of the story.`);
const steps = 'for n in 1 2 3 4 5 6; do echo "step $n"; sleep 1; done';

const script = {
  entries: [
    {
      after: 'Run it',
      turns: [call('run_command', { command: steps }), { text: '# Done\n\nIt **ran**:\n\n- one\n- two\n' }],
    },
    { after: 'Tell me a story', turns: [{ text: sentences.join('\n\n') }] },
    { after: 'Think', turns: [{ text: 'Tea.', reasoning: 'Tea or coffee?' }] },
    { after: 'Count', turns: [{ text: 'Counted.' }] },
  ].map((entry) => ({ role: 'chat', ...entry })),
};

let stack: ServiceStack;
let terminal: Terminal;
beforeAll(async () => {
  stack = await startServiceStack({
    script,
    worker: 'process',
    settings: 'export default { chat: { extractMemories: false } };\n',
  });
});
afterAll(() => stack?.stop());
afterEach(async () => {
  await terminal?.kill();
  stack.model.behave();
});

async function open(session: string, size = {}): Promise<Terminal> {
  const environment = { ...stack.environment, PAGER: "sed 's/^/paged: /'" };
  terminal = openTerminal(environment, `chat --session ${session}`, size);
  await terminal.until('the prompt', isIdle);
  return terminal;
}

const shown = () => terminal.rows().filter(Boolean);
/** Whether there is a prompt, and nothing is being answered. */
const isIdle = () => shown().at(-1) === '>' && !shown().some((row) => /\(\d+ s\)$/.test(row));

test('a tool call shows its argument and last output while it runs, and opens with a key afterwards', async () => {
  await open('tools');
  terminal.type('Run it\r');
  await terminal.until('the output', () =>
    /run_command for n in .* \(\d+ s\)\n {2}step \d/.test(terminal.rows().join('\n')),
  );
  await terminal.until('the answer', () => shown().includes('• two') && isIdle());
  expect(shown().slice(1)).toEqual([
    '> Run it',
    expect.stringMatching(/^✓ run_command for n in .* → exit 0, /),
    ...['# Done', 'It ran:', '• one', '• two', '>'],
  ]);
  terminal.type('\u000f');
  await terminal.untilShown('[exit code 0]');
  expect(shown()).toContain('step 6');
  terminal.type('/se\t');
  await terminal.untilShown('> /sessions');
  terminal.type('\t');
  await terminal.untilShown('> /sessions tools');
});

test('after the death of a worker the terminal says that it waits, and the answer goes on in place', async () => {
  await open('deaths');
  stack.model.misbehave({ kind: 'slow', milliseconds: 250 }, { match: { role: 'chat' }, times: 1 });
  terminal.type('Tell me a story\r');
  await terminal.untilShown('Sentence 5 of the story.');
  const restarted = stack.restartWorker();
  await terminal.untilShown('No worker responds');
  await restarted;
  await terminal.until('the answer', () => shown().includes('Sentence 39 of the story.') && isIdle());
  expect(shown().slice(1)).toEqual(['> Tell me a story', ...sentences, '>']);
});

test('an outage is one line while it lasts, and a call that is not repeated says so', async () => {
  await open('outages');
  stack.model.misbehave({ kind: 'status', status: 503 }, { match: { role: 'chat' }, times: 3 });
  terminal.type('Count\r');
  await terminal.untilShown('Asking again');
  await terminal.until('the answer', () => shown().includes('Counted.') && isIdle());
  expect(shown().slice(1)).toEqual(['> Count', 'Counted.', '>']);
  const before = terminal.written().length;
  stack.model.misbehave({ kind: 'status', status: 401 }, { match: { role: 'chat' }, times: 1 });
  terminal.type('Count\r');
  await terminal.untilShown('No answer:');
  await terminal.until('the end', isIdle);
  expect(terminal.written().slice(before)).not.toMatch(/asked again|asking again/i);
});

test('Ctrl-C stops an answer within a second, and a message typed meanwhile is answered next', async () => {
  await open('stops', { columns: 40 });
  stack.model.misbehave({ kind: 'slow', milliseconds: 100 }, { match: { role: 'chat' }, times: 1 });
  terminal.type('Tell me a story\r');
  await terminal.untilShown('Sentence 1');
  terminal.type('Count\r');
  await terminal.untilShown('(1 waiting) >');
  const since = Date.now();
  terminal.type('\u0003');
  await terminal.untilShown('[stopped]');
  expect(Date.now() - since).toBeLessThan(5_000); // a second on a quiet machine
  await terminal.until('the answer', () => shown().includes('Counted.') && isIdle());
  expect(shown().slice(-3)).toEqual(['> Count', 'Counted.', '>']);
  await terminal.leave();
});

test('a long answer opens in the pager, and the conversation goes on behind it', async () => {
  await open('pages');
  terminal.type('Tell me a story\r');
  await terminal.until('the answer', () => shown().includes('Sentence 39 of the story.') && isIdle());
  terminal.type('/show answer\r');
  await terminal.untilShown('paged: Sentence 39 of the story.');
  await terminal.until('the prompt', isIdle);
  terminal.type('Count\r');
  await terminal.until('the answer', () => shown().includes('Counted.') && isIdle());
  expect(shown().slice(-3)).toEqual(['> Count', 'Counted.', '>']);
});
