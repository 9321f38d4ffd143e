import { expect, jest, test } from '@jest/globals';
import { readDocumentedFiles, runDocumentedFile } from '../support/documents.ts';

const files = await readDocumentedFiles('testing-agents.md');
const programs = files.map(({ path }) => path).filter((path) => path.startsWith('test/'));

test('the page has all its programs', () => {
  expect(programs).toEqual(
    ['run', 'part', 'crash', 'evaluate', 'replay', 'stack', 'bus'].map((name) => `test/${name}.ts`),
  );
});

// The stack needs servers: create-test-stack.service.test.ts runs it.
test.each(programs.filter((path) => path !== 'test/stack.ts'))(
  '%s of the page does what the page says',
  async (path) => {
    jest.spyOn(console, 'log').mockImplementation(() => {});
    await runDocumentedFile(files, path);
  },
);
