import { expect, test } from '@jest/globals';
import { knowsRun, readChecks } from '../../../activities/verification/read-checks.ts';
import type { ProjectRepository } from '../../../git/repository/project-repository.ts';

const files = ['checks/a.py', 'checks/helpers.py', 'checks/notes.txt', 'tests/test_b.py', 'src/main.py'];
const repository = {
  listFiles: async () => files,
  readText: async (_: string, path: string) => `# ${path}\n`,
} as unknown as ProjectRepository;

/** Which protected files each step runs, and how that is known. */
async function runBy(...commands: string[]) {
  const steps = commands.map((command) => ({ description: 'It works.', command }));
  const verification = { steps, protectedPaths: files.filter((path) => !path.startsWith('src/')), sealed: [] };
  const checks = await readChecks(repository, { verification }, { commit: 'c' });
  return commands.map((command) =>
    checks.flatMap((check) => {
      const known = knowsRun({ command }, check);
      return known ? [`${check.path}: ${known}`] : [];
    }),
  );
}

test('a check that no step names is run by a step that runs what a variable names', async () => {
  expect(await runBy('for f in checks/*.py; do python3 "$f" || exit 1; done', 'pytest tests')).toEqual([
    ['checks/a.py: variable'],
    ['tests/test_b.py: command'],
  ]);
  expect(await runBy('python3 checks/a.py', 'sh "$tool"', 'pytest tests')).toEqual([
    ['checks/a.py: command'],
    [],
    ['tests/test_b.py: command'],
  ]);
  expect(await runBy('make', 'pytest tests/test_b.py')).toEqual([
    ['tests/test_b.py: command'],
    ['tests/test_b.py: command'],
  ]);
});
