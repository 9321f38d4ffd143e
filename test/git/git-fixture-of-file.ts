import { afterAll } from '@jest/globals';
import { createGitFixture, type GitFixture } from './git-fixture.ts';

/** Folders and a home for one test file, there from its first line until its last test has ended. */
export async function gitFixtureOfFile(): Promise<GitFixture> {
  const fixture = await createGitFixture();
  afterAll(() => fixture.remove());
  return fixture;
}
