import { expect, test } from '@jest/globals';
import { diffOf } from '../../../../client/chat/folder/diff-of.ts';

const bytes = (text: string) => Buffer.from(text);

test('a changed, an added and a deleted file are shown as git shows them', () => {
  expect(diffOf('a.txt', bytes('one\ntwo\n'), bytes('one\n2\n'))).toBe(
    '--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n',
  );
  expect(diffOf('a.txt', undefined, bytes('one\n'))).toBe('--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1,1 @@\n+one\n');
  expect(diffOf('a.txt', bytes('one\n'), undefined)).toContain('+++ /dev/null');
});

test('a file that is no text is only named', () => {
  expect(diffOf('a.png', bytes('a\0b'), bytes('c'))).toBe('Binary files a/a.png and b/a.png differ\n');
});
