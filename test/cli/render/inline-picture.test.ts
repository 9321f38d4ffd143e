import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { PNG } from 'pngjs';
import { inlinePicture } from '../../../cli/render/inline-picture.ts';

const folder = mkdtempSync(join(tmpdir(), 'longhaul-picture-'));
const path = join(folder, 'p.png');
const content = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(6_000, 7)]);
writeFileSync(path, content);
afterAll(() => rmSync(folder, { recursive: true }));

const shown = (environment: Record<string, string>, isTTY = true, file = path) =>
  inlinePicture(file, { stdout: { isTTY }, environment });

test('kitty gets a picture in pieces, iTerm in one', async () => {
  const pieces = ((await shown({ TERM: 'xterm-kitty' })) ?? '').split('\u001b\\').slice(0, -1);
  const parts = pieces.map((piece) => piece.replace('\u001b_G', '').split(';'));
  expect(parts.map(([keys]) => keys)).toEqual(['a=T,f=100,q=2,m=1', 'm=0']);
  expect(Buffer.from(parts.map(([, data]) => data).join(''), 'base64')).toEqual(content);
  expect(await shown({ TERM_PROGRAM: 'iTerm.app' })).toBe(
    `\u001b]1337;File=inline=1;size=${content.length}:${content.toString('base64')}\u0007\n`,
  );
});

test.each([
  ['a terminal without pictures', shown({ TERM: 'xterm-256color' })],
  ['a multiplexer', shown({ TERM: 'xterm-kitty', TMUX: '/tmp/tmux' })],
  ['a pipe', shown({ TERM: 'xterm-kitty' }, false)],
  ['another machine', shown({ TERM: 'xterm-kitty' }, true, join(folder, 'gone.png'))],
])('%s gets none', async (_, written) => {
  expect(await written).toBeUndefined();
});

test.each([
  ['foot', { TERM: 'foot-extra' }],
  ['mlterm', { TERM: 'xterm', MLTERM: '3.9.3' }],
  ['Contour', { TERM: 'contour-latest' }],
  ['a terminal by request', { TERM: 'xterm', TMUX: '/tmp/tmux', LONGHAUL_SIXEL: '1' }],
])('%s gets sixel', async (_, environment) => {
  const png = new PNG({ width: 7, height: 3 });
  const file = join(folder, 'small.png');
  writeFileSync(file, PNG.sync.write(png));
  expect(await shown(environment, true, file)).toMatch('\u001bP0;0;q"1;1;7;3#');
});

test('a name that only begins as a terminal with sixel gets none', async () => {
  expect(await shown({ TERM: 'footing' })).toBeUndefined();
});
