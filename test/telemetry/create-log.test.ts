import { expect, test } from '@jest/globals';
import type { LoggingSettings } from '../../domain/telemetry/settings.ts';
import { createLog } from '../../telemetry/create-log.ts';

function written(settings: LoggingSettings, write: (log: ReturnType<typeof createLog>) => void): string[] {
  const lines: string[] = [];
  write(createLog(settings, { write: (text: string) => lines.push(text) }));
  return lines;
}

test('in JSON each entry is one line, with what it is about and the whole error', () => {
  const [line, ...others] = written({ level: 'info', format: 'json' }, (log) => {
    log.debug('Not at this level.');
    log.warn('It failed.', { run: 'chat-a-r1', turn: 2, error: new TypeError('No.\nReally.') });
  });
  expect(others).toEqual([]);
  expect(line?.match(/\n/g)).toHaveLength(1);
  expect(JSON.parse(line ?? '')).toEqual({
    level: 'warn',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    msg: 'It failed.',
    run: 'chat-a-r1',
    turn: 2,
    error: { type: 'TypeError', message: 'No.\nReally.', stack: expect.stringContaining('TypeError: No.') },
  });
});

test('for people an entry is a line, and its error stands below', () => {
  const [first, second] = written({ level: 'debug', format: 'text' }, (log) => {
    log.info('Removed 2 sandboxes.', { run: 'chat-a-r1', title: 'two words' });
    log.error('It failed.', { error: new TypeError('No.') });
  });
  expect(first).toMatch(/^\d\d:\d\d:\d\d INFO {2}Removed 2 sandboxes\. {2}run=chat-a-r1 {2}title="two words"\n$/);
  expect(second).toMatch(/^\d\d:\d\d:\d\d ERROR It failed\.\n {2}TypeError: No\.\n {4,}at /);
});

test('what was thrown and is no error is written too', () => {
  const [first] = written({ level: 'info', format: 'text' }, (log) => log.warn('It failed.', { error: 'no reason' }));
  expect(first).toMatch(/WARN {2}It failed\.\n {2}no reason\n$/);
});
