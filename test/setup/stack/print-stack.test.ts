import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { loadReporter } from '../../../setup/reporter.ts';
import { createStackPrinter } from '../../../setup/stack/print-stack.ts';

test('a service that was starting at Ctrl-C stops spinning', async () => {
  const stream = new PassThrough();
  const { onEvent } = createStackPrinter(await loadReporter({ stream, interactive: true, colour: false }));
  onEvent({ type: 'service-starting', service: 'temporal' });
  onEvent({ type: 'stack-stopping' });
  onEvent({ type: 'service-stopped', service: 'temporal', killed: false });
  onEvent({ type: 'stack-stopped', durationMs: 1_100 });
  stream.end();
  const lines = (await text(stream)).split('\r\x1b[2K').map((line) => line.trimEnd());
  expect(lines.at(-1)).toBe('    stopped in 1.1 s');
  expect(lines).toContainEqual(expect.stringMatching(/^ {2}✗ temporal +stopped +0\.0 s$/));
});
