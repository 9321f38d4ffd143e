import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Dependencies } from '../../../../activities/dependencies.ts';
import { createEndingTools } from '../../../../activities/tools/kinds/ending-tools.ts';
import { findProposal } from '../../../../db/project/plan.ts';
import { createProject } from '../../../../db/project/projects.ts';
import { checkProposal } from '../../../../domain/project/proposal.ts';
import { defaultProjectSettings } from '../../../../domain/project/settings.ts';
import { openProjectRepository } from '../../../../git/repository/open-project-repository.ts';
import { createGitFixture, type GitFixture, put } from '../../../git/git-fixture.ts';
import { databaseOfFile } from '../../../support/servers/test-database.ts';
import { proposal } from '../../../support/stack/scripts.ts';

const { database } = await databaseOfFile();
let fixture: GitFixture;

beforeAll(async () => {
  fixture = await createGitFixture();
});
afterAll(() => fixture?.remove());

test('an initializer hears that a proposed file exists', async () => {
  const { repository } = await fixture.project({ 'README.md': 'mine\n', 'init.sh': 'make deps\n' });
  const { folder, branch } = repository;
  await put(folder, 'docs/new.md', 'not committed\n');
  const id = 'project-ending';
  await createProject(database, { id, name: id, goal: 'A file.', folder, branch, settings: defaultProjectSettings });
  const { propose_project: propose } = createEndingTools({
    database,
    agents: { steeringFiles: [], permissions: { rules: [], requests: { defaultAnswer: 'no' } } } as Partial<
      Dependencies['agents']
    > as Dependencies['agents'],
    openRepository: () => openProjectRepository({ folder, branch, environment: fixture.environment }),
  });
  const { signal } = new AbortController();
  const run = {
    owner: { kind: 'project' as const, id: id },
    runId: `${id}-init`,
    role: 'initializer' as const,
    maxTurns: 9,
  };
  const proposing = (content: string, path = 'README.md') => {
    const checked = checkProposal({ ...proposal([{ name: 'one' }]), files: [{ path, content }] });
    if (!('proposal' in checked)) throw new Error(checked.complaints.join());
    return propose(checked.proposal, { run, id: 'call', cancel: signal, detach: signal });
  };

  expect(await proposing('planned\n')).toEqual({
    failed: true,
    text: 'The proposal is invalid:\n- files: "README.md" exists in the repository; leave it out, since sessions can edit it, or choose another path',
  });
  expect(await proposing('planned\n', 'docs/new.md')).toMatchObject({
    text: expect.stringContaining('"docs/new.md" exists in the repository'),
  });
  expect(await findProposal(database, id)).toBeUndefined();
  expect(await proposing('mine\n')).toEqual({ text: '1 text files.' });
  expect(await findProposal(database, id)).toMatchObject({ summary: '1 text files.' });
});
