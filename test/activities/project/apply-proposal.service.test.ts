import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createApplyProposal } from '../../../activities/project/apply-proposal.ts';
import { readEvents } from '../../../db/events/read-events.ts';
import { readFeatures } from '../../../db/features/features.ts';
import { saveProposal } from '../../../db/features/plan.ts';
import { readCheckpoints } from '../../../db/project/checkpoints.ts';
import { readProgress } from '../../../db/project/progress.ts';
import { createProject, setProjectStatus } from '../../../db/project/projects.ts';
import { checkProposal, type Proposal } from '../../../domain/project/proposal.ts';
import { defaultProjectSettings } from '../../../domain/project/settings.ts';
import { openProjectRepository } from '../../../git/repository/open-project-repository.ts';
import type { ProjectRepository } from '../../../git/repository/project-repository.ts';
import { createGitFixture, type GitFixture, put } from '../../git/git-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/test-database.ts';

let postgres: TestDatabase;
let fixture: GitFixture;
let count = 0;

beforeAll(async () => {
  [postgres, fixture] = await Promise.all([createTestDatabase(), createGitFixture()]);
});
afterAll(async () => {
  await postgres?.stop();
  await fixture?.remove();
});

const checked = checkProposal({
  summary: 'One file.',
  setup_script: 'true',
  smoke_check: 'true',
  files: [],
  features: [
    {
      name: 'first',
      description: 'A file.',
      category: 'functional',
      priority: 5,
      verification: {
        steps: [{ description: 'It is there.', command: 'sh tests/first.sh' }],
        files: [{ path: 'tests/first.sh', content: 'test -s first.txt\n' }],
      },
    },
  ],
});

/** Creates a project with one commit by a person and a stored proposal that is not applied yet, or in an earlier one's repository. */
async function proposed(
  there: Record<string, string> | undefined | ProjectRepository = undefined,
  change: (proposal: Proposal) => Proposal = (same) => same,
) {
  count += 1;
  const projectId = `project-apply-${count}`;
  const repository = isRepository(there) ? there : (await fixture.project(there)).repository;
  const { folder, branch } = repository;
  const { database } = postgres;
  await createProject(database, {
    id: projectId,
    name: projectId,
    goal: 'A file.',
    folder,
    branch,
    settings: defaultProjectSettings,
  });
  if (!('proposal' in checked)) throw new Error(`Expected a proposal, got ${checked.complaints.join(' ')}`);
  await saveProposal(database, projectId, change(checked.proposal));
  const open = () => openProjectRepository({ folder, branch, environment: fixture.environment });
  /** Runs one attempt of the activity; `through` overrides methods of the real repository. */
  const apply = (through: (real: ProjectRepository) => Partial<ProjectRepository> = () => ({})) =>
    createApplyProposal({
      database,
      openRepository: async () => {
        const real = await open();
        return { ...real, ...through(real) };
      },
    })({ projectId, workflowId: projectId, workflowRunId: 'run' });
  const planned = async () => ({
    features: (await readFeatures(database, projectId)).map(({ name }) => name),
    checkpoints: (await readCheckpoints(database, projectId)).map(({ commit }) => commit),
  });
  const personCommits = async (path: string) => {
    await put(folder, path, 'by a person\n');
    await fixture.git(folder, ['add', path]);
    await fixture.git(folder, ['commit', '-q', '-m', path]);
  };
  return { projectId, repository, folder, apply, planned, personCommits };
}

function isRepository(there: object | undefined): there is ProjectRepository {
  return there !== undefined && 'moveBranch' in there;
}

/** Stands for the worker dying at this point. */
function die(): Promise<never> {
  throw new Error('killed');
}

/** The worker dies when it has moved the branch. */
const dyingAfterwards = (real: ProjectRepository): Partial<ProjectRepository> => ({
  moveBranch: async (from, to) => {
    await real.moveBranch(from, to);
    await die();
  },
});

test('a plan whose files are in the way leaves no features, and is applied once they are gone; it may name a dependency twice', async () => {
  const { repository, folder, apply, planned } = await proposed(
    { '.gitignore': 'init.sh\n' },
    ({ features: [first], ...rest }) => {
      if (!first) throw new Error('Expected a feature.');
      return { ...rest, features: [first, { ...first, name: 'second', dependencies: ['first', 'first'] }] };
    },
  );
  await put(folder, 'init.sh', 'a person has this\n');
  await expect(apply()).rejects.toMatchObject({ code: 'FilesInTheWay' });
  expect(await planned()).toEqual({ features: [], checkpoints: [] });
  await fixture.git(folder, ['clean', '-fdxq']);
  await apply();
  expect(await planned()).toEqual({ features: ['first', 'second'], checkpoints: [await repository.head()] });
});

test("files of the plan never replace a person's files", async () => {
  const mine = { 'README.md': 'mine\n', 'docs/a.md': 'a\n' };
  const { repository, apply, planned } = await proposed(mine, (plan) => ({
    ...plan,
    files: ['README.md', 'docs', 'README.md/b'].map((path) => ({ path, content: 'planned\n' })),
  }));
  const head = await repository.head();
  await expect(apply()).rejects.toMatchObject({
    type: 'RepositoryUnusable',
    nonRetryable: true,
    message: expect.stringContaining(
      'files: "README.md" exists in the repository; leave it out, since sessions can edit it, or choose another path; files: "docs" is a folder in the repository; files: "README.md" is a file in the repository, so "README.md/b" cannot be in a folder of that name.',
    ),
  });
  expect(await repository.head()).toBe(head);
  expect(await planned()).toEqual({ features: [], checkpoints: [] });
});

test('a second plan in a folder keeps what the first one left and what was written since, until the person moves it', async () => {
  const edited = (plan: Proposal): Proposal => ({
    ...plan,
    setup_script: 'echo again',
    features: plan.features.map((feature) => ({
      ...feature,
      verification: { ...feature.verification, files: [{ path: 'tests/first.sh', content: 'again\n' }] },
    })),
  });
  const first = await proposed();
  await first.apply();
  await setProjectStatus(postgres.database, first.projectId, 'ABANDONED');
  const second = await proposed(first.repository, edited);
  await second.apply();
  expect(await readProgress(postgres.database, second.projectId)).toMatchObject([{ action: 'plan' }]);
  const head = (await first.repository.head()) ?? '';
  expect(String(await first.repository.readFile(head, 'tests/first.sh'))).toBe('again\n');

  await setProjectStatus(postgres.database, second.projectId, 'ABANDONED');
  await first.personCommits('tests/first.sh');
  const third = await proposed(first.repository, edited);
  await expect(third.apply()).rejects.toThrow('"tests/first.sh" exists in the repository');
  await fixture.git(third.folder, ['mv', 'tests/first.sh', 'tests/mine.sh']);
  await third.apply();
  expect(await third.planned()).toMatchObject({ features: ['first'] });
});

describe('a plan is committed once', () => {
  let project: Awaited<ReturnType<typeof proposed>>;
  let plan: string | undefined;
  beforeAll(async () => {
    project = await proposed({ 'init.sh': 'make deps\n' });
  });

  test('a person who commits between the plan and the branch does not hold it up', async () => {
    const { repository, apply, planned, personCommits } = project;
    await expect(apply(() => ({ moveBranch: die }))).rejects.toThrow('killed');
    const meanwhile = apply((real) => ({
      moveBranch: async (from, to) => {
        await personCommits('mine.txt');
        return real.moveBranch(from, to);
      },
    }));
    await expect(meanwhile).rejects.toMatchObject({ code: 'BranchMoved' });
    expect(await planned()).toEqual({ features: [], checkpoints: [] });
    const mine = (await repository.head()) ?? '';
    await expect(apply(dyingAfterwards)).rejects.toThrow('killed');
    plan = (await repository.head()) ?? '';
    expect(await repository.resolve(`${plan}^`)).toBe(mine);
    expect(await repository.listFiles(plan)).toEqual(['init.sh', 'mine.txt', 'tests/first.sh']);
  });

  test('a worker that dies before it recorded the plan makes no second commit of it, and what it replaced is reported', async () => {
    const { projectId, repository, apply, planned, personCommits, folder } = project;
    await personCommits('more.txt');
    await put(folder, 'edited.txt', 'not committed\n');
    await apply();
    await apply();
    expect(await planned()).toEqual({ features: ['first'], checkpoints: [plan] });
    const log = await repository.log('HEAD');
    expect(log.map(({ subject }) => subject)).toEqual([
      'Changes made outside Longhaul',
      'more.txt',
      'Plan: One file.',
      'mine.txt',
      'Begin',
    ]);
    const before = log[3]?.commit.slice(0, 12);
    const outcome = `The set-up script replaced the repository's own init.sh. \`git show ${before}:init.sh\` shows the old one.`;
    expect(await readProgress(postgres.database, projectId)).toMatchObject([
      { action: 'plan' },
      { action: 'set-up', outcome },
    ]);
    const told = (await readEvents(postgres.database, projectId)).map(({ data }) => data);
    expect(told).toContainEqual({ type: 'progress.logged', action: 'set-up', outcome });
  });

  test('a reset to before the plan does not look for its branch where sessions have moved it on', async () => {
    const { repository, folder, apply, planned } = project;
    const before = await planned();
    await fixture.git(folder, ['reset', '-q', '--hard', `${plan}^`]);
    const head = await repository.head();
    await apply();
    expect(await planned()).toEqual(before);
    expect(await repository.head()).toBe(head);
  });
});
