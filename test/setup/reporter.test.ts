import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import { loadReporter } from '../../setup/reporter.ts';

async function capture(interactive: boolean) {
  const stream = new PassThrough();
  let text = '';
  stream.on('data', (chunk) => {
    text += chunk;
  });
  const reporter = await loadReporter({ stream, interactive, colour: false });
  return { reporter, text: () => text };
}

test('a log file would be full of control characters', async () => {
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

test('a terminal would keep the line of a step that is over', async () => {
  const { reporter, text } = await capture(true);
  const step = reporter.begin('Postgres', 'checking');
  step.done('Postgres 18');
  const last = text().split('\r\x1b[2K').at(-1);
  expect(last).toMatch(/^ {2}✓ Postgres {7}Postgres 18 +\d+\.\d s\n$/);
});

test('steps that run at once would take each other for over', async () => {
  const { reporter, text } = await capture(true);
  const first = reporter.begin('postgres', 'starting');
  const second = reporter.begin('temporal', 'starting');
  first.done('ready');
  expect(text().split('\r\x1b[2K').at(-1)).toMatch(/temporal {7}starting/);
  second.done('ready');
});
