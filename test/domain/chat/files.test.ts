import { expect, test } from '@jest/globals';
import { holdsSecrets, isPlainPath } from '../../../domain/chat/files.ts';

test.each(['a', 'src/a b.ts', '.envrc', 'sub/.gitignore', 'é.txt'])('%j is a path below a folder', (path) => {
  expect(isPlainPath(path)).toBe(true);
});

test.each([
  ['leads out', '../a'],
  ['leads out further down', 'a/../../b'],
  ['is absolute', '/etc/passwd'],
  ['has no name', ''],
  ['has an empty name', 'a//b'],
  ['is a repository', '.git/config'],
  ['is a repository on a disk that folds case', 'sub/.GIT/hooks/x'],
  ['is a repository by its short name', 'GIT~1/config'],
  ['is a repository with characters that are not seen', '.g\u200cit/config'],
  ['has a line break', 'a\nb'],
  ['is not UTF-8', 'a\uFFFD'],
])('a path that %s is none', (_, path) => {
  expect(isPlainPath(path)).toBe(false);
});

test('files for secrets are known by their names, and examples of them are none', () => {
  const names = ['.env', 'app/.env.local', '.netrc', 'keys/id_rsa', '.env.example', 'environment.ts', 'id_rsa.pub'];
  expect(names.map(holdsSecrets)).toEqual([true, true, true, true, false, false, false]);
});
