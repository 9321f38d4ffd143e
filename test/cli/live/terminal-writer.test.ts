import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import picocolors from 'picocolors';
import { createTerminalWriter } from '../../../cli/live/terminal-writer.ts';
import { withCommandName } from '../../../config/command-name.ts';
import type { ProjectEventData } from '../../../domain/run/event.ts';
import { eventsOf, stateAfter } from './events.ts';

const colors = picocolors.createColors(false);
const formatLine = (text: string) => withCommandName(text, { npm_command: 'exec' });
beforeEach(() => void jest.spyOn(process.stderr, 'write').mockReturnValue(true)); // the cursor is hidden there
afterEach(() => void jest.restoreAllMocks());

/** What a terminal gets, without control sequences and line ends. */
function shown(size: { columns: number; rows: number }, notes: string[], ...all: ProjectEventData[]): string {
  let text = '';
  const output = {
    isTTY: true,
    ...size,
    write: (piece: string) => {
      text += piece;
      return true;
    },
    on() {},
    off() {},
  };
  const writer = createTerminalWriter(output as unknown as NodeJS.WriteStream, colors, formatLine);
  for (const event of eventsOf(...all)) writer.event(event, stateAfter(...all));
  for (const note of notes) writer.note(note);
  writer.close();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control sequences are what it takes out
  return text.replace(/\u001b\[[?\d;]*[A-Za-z]/g, '').replaceAll('\n', ' ');
}

const reason = `The session on "greet" could not continue: ${'opening the folder failed, '.repeat(8)}and nobody knows why.`;

test('a terminal without a size is not left blank', () => {
  const size = { columns: 0, rows: 0 };
  expect(shown(size, [], { type: 'project.changed', status: 'ACTIVE' })).toContain('spend · ACTIVE');
});

test.each(['WAITING', 'PAUSED', 'FAILED'] as const)('why a project is %s is shown whole', (status) => {
  const text = shown({ columns: 80, rows: 24 }, [], { type: 'project.changed', status, reason });
  expect(text.split(reason)).toHaveLength(3); // as a line of the log and at the bottom
});

test('advice about trouble is shown whole', () => {
  const text = shown({ columns: 80, rows: 24 }, [reason], { type: 'project.changed', status: 'ACTIVE' });
  expect(text).toContain(reason);
});

test('a reason for a pause names commands that are on the PATH', () => {
  const reason = 'Check its key (`longhaul models`).';
  const text = shown({ columns: 80, rows: 24 }, [reason], { type: 'project.changed', status: 'PAUSED', reason });
  expect(text.split('(`npx longhaul models`)')).toHaveLength(4); // as a line of the log, at the bottom and as a note
});
