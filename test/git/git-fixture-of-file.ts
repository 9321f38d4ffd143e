import { afterAll } from '@jest/globals';
import { createGitFixture, type GitFixture } from './git-fixture.ts';

/** A home and folders for one test file, from its first line until its last test has ended. */
export async function gitFixtureOfFile(): Promise<GitFixture> {
  const fixture = await createGitFixture();
  afterAll(() => fixture.remove());
  return fixture;
}
