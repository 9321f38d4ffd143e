import { expect, test } from '@jest/globals';
import { printOutput } from '../../../cli/agents/print-output.ts';
import { printEvents } from '../../../cli/agents/runs.ts';
import type { CommandContext, CommandLine } from '../../../cli/program/command-context.ts';
import { createCommandContext } from '../../../cli/program/create-command-context.ts';

/** Sets a terminal's title, erases the screen by one C1 character, and hides words. */
const hostile = 'a\u001b]0;title\u0007\u009b2J\u202eb\u{e0041}';
const unsafe = /(?!\n)[\p{Cc}\p{Bidi_Control}\u{e0041}]/u;

function terminal(): { context: CommandContext; shown: string[] } {
  const shown: string[] = [];
  const stdout = { isTTY: true, write: (text: string) => shown.push(text) };
  const line = { environment: {}, folder: '/', stdout } as unknown as CommandLine; // it asks for nothing else
  return {
    context: createCommandContext(line, { interruptSignal: () => new AbortController().signal, setExitCode() {} }),
    shown,
  };
}

test.each([[hostile], [{ said: hostile }]])('what an agent returns does not act on a terminal', (output) => {
  const { context, shown } = terminal();
  printOutput(context, output);
  expect(shown.join('')).toContain('title');
  expect(shown.join('')).not.toMatch(unsafe);
});

test.each([true, false])('events of a run do not act on a terminal, as JSON: %s', async (json) => {
  const { context, shown } = terminal();
  const event = { runId: 'r', sequence: 1, createdAt: new Date(0), type: 'tool.result', preview: hostile };
  const handle = {
    status: async () => ({ status: 'SUCCEEDED', eventCount: 1 }),
    async *events() {
      yield event;
    },
  };
  const longhaul = { runs: { find: async () => handle } };
  const withLonghaul = ((work) => work(longhaul as never)) as CommandContext['withLonghaul']; // it asks for nothing else
  await printEvents({ ...context, withLonghaul }, 'r', { json });
  expect(shown.join('')).toContain('title');
  expect(shown.join('')).not.toMatch(unsafe);
  if (json) expect(JSON.parse(shown.join('')).preview).toBe(hostile);
});
