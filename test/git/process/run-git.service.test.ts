import { expect, test } from '@jest/globals';
import { nameFailure } from '../../../activities/name-failure.ts';
import { spawnGit } from '../../../git/process/run-git.ts';
import { openGit } from '../../../git/repository/open-project-repository.ts';
import { gitFixtureOfFile } from '../git-fixture-of-file.ts';

const fixture = await gitFixtureOfFile();
const alias = (shell: string) => ['-c', `alias.now=!${shell}`, 'now'];

test('a git that the system ended is retried and does not fail the work', async () => {
  const { folder } = (await fixture.project()).repository;
  const environment = { PATH: process.env.PATH ?? '' };
  const killed = await spawnGit(alias('kill -KILL $PPID'), { folder, environment }).catch((error: unknown) => error);
  expect(killed).toMatchObject({ code: 'GitStopped' });
  expect(nameFailure(killed)).toMatchObject({ type: 'Internal', nonRetryable: false });
});

test('a full disk is reported as one, and retried', async () => {
  const { folder } = (await fixture.project()).repository;
  const { git } = await openGit({ folder, environment: fixture.environment });
  const said = 'fatal: write error: No space left on device';
  const full = await git.run(alias(`echo "${said}" >&2; exit 128; :`)).catch((error: unknown) => error);
  expect(full).toMatchObject({ code: 'DiskFull' });
  expect(nameFailure(full)).toMatchObject({
    ...{ type: 'DiskFull', nonRetryable: false, message: expect.stringContaining('Free some space') },
  });
});
