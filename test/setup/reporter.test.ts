import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import { loadReporter } from '../../setup/reporter.ts';

async function capture(interactive: boolean, columns?: number) {
  const stream = Object.assign(new PassThrough(), { columns });
  let text = '';
  stream.on('data', (chunk) => {
    text += chunk;
  });
  const reporter = await loadReporter({ stream, interactive, colour: false });
  return { reporter, text: () => text };
}

test('a log file has no control characters', async () => {
  const { reporter, text } = await capture(false);
  const step = reporter.begin('Postgres', 'checking');
  step.update('making the data folder');
  step.done('Postgres 18');
  reporter.begin('Docker').done('Docker 20', { alreadyThere: true });
  reporter.begin('Image').fail('failed');
  expect(text()).toMatch(
    /^ {2}✓ Postgres {7}Postgres 18 +\d+\.\d s\n {2}✓ Docker {9}Docker 20 +already there\n {2}✗ Image {10}failed +\d+\.\d s\n$/,
  );
});

test.each([
  [80, 80],
  [120, 91],
  [20, 42],
])('a line of set-up fits a terminal of %i columns', async (columns, length) => {
  const { reporter, text } = await capture(true, columns);
  reporter.begin('Docker').done('Docker 20', { alreadyThere: true });
  expect(text().split('\r\x1b[2K').at(-1)?.trimEnd()).toHaveLength(length);
});

test.each([
  [{ FORCE_COLOR: '1' }, true],
  [{ FORCE_COLOR: '1', NO_COLOR: '1' }, false],
  [{}, false],
])('%j is shown without a terminal', async (settings, coloured) => {
  const { FORCE_COLOR, NO_COLOR, ...others } = process.env;
  const before = process.env;
  process.env = { ...others, ...settings };
  try {
    const stream = new PassThrough();
    (await loadReporter({ stream })).begin('Docker').done('Docker 20');
    expect(stream.setEncoding('utf8').read().includes('\x1b[32m')).toBe(coloured);
  } finally {
    process.env = before;
  }
});

test('a terminal replaces the line of a finished step', async () => {
  const { reporter, text } = await capture(true);
  const step = reporter.begin('Postgres', 'checking');
  step.done('Postgres 18');
  const last = text().split('\r\x1b[2K').at(-1);
  expect(last).toMatch(/^ {2}✓ Postgres {7}Postgres 18 +\d+\.\d s\n$/);
});

test('parallel steps end separately', async () => {
  const { reporter, text } = await capture(true);
  const first = reporter.begin('postgres', 'starting');
  const second = reporter.begin('temporal', 'starting');
  first.done('ready');
  expect(text().split('\r\x1b[2K').at(-1)).toMatch(/temporal {7}starting/);
  second.done('ready');
});
