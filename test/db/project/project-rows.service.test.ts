import { expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { readEvents } from '../../../db/events/read-events.ts';
import { claimFeature, unblockFeatures } from '../../../db/features/claim-feature.ts';
import { readFeatures } from '../../../db/features/features.ts';
import { readCheckpoints } from '../../../db/project/checkpoints.ts';
import { readDecisions } from '../../../db/project/decisions.ts';
import { endSession, type SessionEnd } from '../../../db/project/end-session.ts';
import { readProgress } from '../../../db/project/progress.ts';
import {
  createProject,
  endUnopenedProject,
  refuseToReopen,
  resolveProject,
  setProjectStatus,
} from '../../../db/project/projects.ts';
import { revertProject } from '../../../db/project/revert.ts';
import { readSessions } from '../../../db/project/sessions.ts';
import { setModels } from '../../../db/project/set-models.ts';
import { addVerification, readVerificationTimes } from '../../../db/project/verifications.ts';
import { projects } from '../../../db/schema/projects.ts';
import { runs } from '../../../db/schema/runs.ts';
import { verifications } from '../../../db/schema/work.ts';
import { readMessages, writeMessage } from '../../../db/transcript/transcript.ts';
import { defaultProjectSettings } from '../../../domain/project/settings.ts';
import { seedProject } from '../../client/seed-project.ts';
import { databaseOfFile } from '../../support/servers/test-database.ts';

const { database } = await databaseOfFile();
let count = 0;

/** A project in which `entries` passed in session 1 and `report` is new. */
async function seeded(): Promise<string> {
  count += 1;
  const id = `project-rows-${count}`;
  await seedProject(database, id);
  return id;
}

async function statuses(id: string): Promise<Record<string, string>> {
  return Object.fromEntries((await readFeatures(database, id)).map((feature) => [feature.name, feature.status]));
}

function fail(id: string, number: number) {
  const sessionId = `${id}-s${number}`;
  return endSession(database, {
    projectId: id,
    sessionId,
    status: 'FAILED',
    reason: 'red',
    lesson: 'l',
    filesChanged: [],
    tokens: 0,
  });
}

test('two sessions that claim at once do not get the same feature', async () => {
  const id = await seeded();
  const claims = await Promise.all(
    [2, 3, 4, 5].map((number) => claimFeature(database, { projectId: id, sessionId: `${id}-s${number}`, number })),
  );
  expect(claims.map((claim) => claim.kind).sort()).toEqual(['busy', 'busy', 'busy', 'feature']);
});

test('a session that claims again gets the same feature and no second row', async () => {
  const id = await seeded();
  const request = { projectId: id, sessionId: `${id}-s2`, number: 2 };
  expect(await claimFeature(database, request)).toEqual(await claimFeature(database, request));
  expect(await readSessions(database, id)).toHaveLength(2);
});

test('a session that ends twice makes one checkpoint and one progress entry', async () => {
  const id = await seeded();
  await fail(id, 1);
  expect(await statuses(id)).toMatchObject({ entries: 'PASSING' });
  expect(await readCheckpoints(database, id)).toHaveLength(2);
  expect(await readProgress(database, id)).toHaveLength(2);
});

test('a feature is BLOCKED after its attempts, and comes back with new ones', async () => {
  const id = await seeded();
  for (const number of [2, 3, 4]) {
    expect(await claimFeature(database, { projectId: id, sessionId: `${id}-s${number}`, number })).toMatchObject({
      attempt: number - 1,
    });
    await fail(id, number);
  }
  expect(await statuses(id)).toEqual({ entries: 'PASSING', report: 'BLOCKED' });
  expect(await claimFeature(database, { projectId: id, sessionId: `${id}-s5`, number: 5 })).toMatchObject({
    kind: 'blocked',
    reason: expect.stringContaining('3 attempts did not pass; the last: red'),
  });
  expect(await unblockFeatures(database, id)).toBe(1);
  expect(await claimFeature(database, { projectId: id, sessionId: `${id}-s5`, number: 5 })).toMatchObject({
    attempt: 1,
  });
});

test('a regression names the commit that broke the feature, and the checkpoint of that commit holds it', async () => {
  const id = await seeded();
  const sessionId = `${id}-s2`;
  await claimFeature(database, { projectId: id, sessionId, number: 2 });
  const commit = 'c'.repeat(40);
  await addRegression(id, { id: `${sessionId}-r1/entries`, sessionId, feature: 'entries' });
  await addRegression(id, { id: `${sessionId}-r2/report`, sessionId, feature: 'report' }); // of another commit: does not count
  const pass = {
    projectId: id,
    sessionId,
    status: 'PASSED',
    reason: 'green',
    commit,
    landing: 1,
    filesChanged: [],
    tokens: 0,
  } satisfies SessionEnd;
  await endSession(database, pass);
  expect(await statuses(id)).toEqual({ entries: 'FAILING', report: 'PASSING' });
  const entries = (await readFeatures(database, id)).find((feature) => feature.name === 'entries');
  expect(entries).toMatchObject({ attempts: 1, reason: 'Broken by commit cccccccc. red' });
  await revertProject(database, { lineageId: `${id}/l2`, projectId: id, checkpoint: 'c2', keptRef: 'refs/x' });
  expect(await statuses(id)).toEqual({ entries: 'FAILING', report: 'PASSING' });
});

test('a feature that others break keeps an attempt, but two cannot break each other forever', async () => {
  const id = await seeded();
  const broken: string[] = [];
  for (let number = 2; number <= 12; number += 1) {
    const sessionId = `${id}-s${number}`;
    const [feature, other] = number % 2 ? ['entries', 'report'] : ['report', 'entries'];
    expect(await claimFeature(database, { projectId: id, sessionId, number })).toMatchObject({ feature });
    await addRegression(id, { id: `${sessionId}-r1/${other}`, sessionId, feature: other });
    const pass = { status: 'PASSED', reason: 'green', commit: 'c'.repeat(40), landing: 1 } as const;
    await endSession(database, { projectId: id, sessionId, ...pass, filesChanged: [], tokens: 0 });
    broken.push((await statuses(id))[other] ?? '');
  }
  expect(broken).toEqual([...Array.from({ length: 10 }, () => 'FAILING'), 'BLOCKED']);
});

test('a resume gives features their full attempts again', async () => {
  const id = await seeded();
  await database
    .update(projects)
    .set({ settings: { ...defaultProjectSettings, maxAttempts: 1 } })
    .where(eq(projects.id, id));
  const session = { projectId: id, sessionId: `${id}-s2`, number: 2 };
  await claimFeature(database, { ...session, feature: 'report' });
  await addRegression(id, { id: `${id}-s2-r1/entries`, sessionId: session.sessionId, feature: 'entries' });
  const pass = { status: 'PASSED', reason: 'green', commit: 'c'.repeat(40), landing: 1 } as const;
  await endSession(database, { projectId: id, sessionId: session.sessionId, ...pass, filesChanged: [], tokens: 0 });
  const entries = async () => (await readFeatures(database, id)).find(({ name }) => name === 'entries');
  expect(await entries()).toMatchObject({ status: 'FAILING', attempts: 1 });
  expect(await unblockFeatures(database, id)).toBe(1);
  expect(await entries()).toMatchObject({ status: 'FAILING', attempts: 0 });
});

test("naming a project's current models is no event", async () => {
  const id = await seeded();
  for (const code of ['openai/a', 'openai/b', 'openai/b']) await setModels(database, id, { models: { code } });
  await setModels(database, id, { model: 'openai/c' });
  const told = (await readEvents(database, id)).flatMap(({ data }) =>
    data.type === 'models.changed' ? [data.text] : [],
  );
  expect(told).toEqual(['code: openai/a', 'code: openai/b', 'openai/c; code: openai/b']);
});

test("the time of a session's own verification does not change what its retry verifies", async () => {
  const id = await seeded();
  for (const [session, at] of [
    ['s1', 1000],
    ['s2', 3000],
  ] as const) {
    await addRegression(id, { id: `${id}-${session}-v`, sessionId: `${id}-${session}`, feature: 'entries' });
    const ofSession = eq(verifications.id, `${id}-${session}-v`);
    await database
      .update(verifications)
      .set({ createdAt: new Date(at) })
      .where(ofSession);
  }
  const times = (before: string) => readVerificationTimes(database, { projectId: id, before });
  expect([...(await times(`${id}-s3`))]).toEqual([[`${id}/entries`, 3000]]);
  expect([...(await times(`${id}-s2`))]).toEqual([[`${id}/entries`, 1000]]);
});

test('a feature of a lost session can be worked on again after a resume', async () => {
  const id = await seeded();
  await claimFeature(database, { projectId: id, sessionId: `${id}-s2`, number: 2 });
  expect(await claimFeature(database, { projectId: id, sessionId: `${id}-s3`, number: 3 })).toEqual({ kind: 'busy' });
  await unblockFeatures(database, id);
  expect(await claimFeature(database, { projectId: id, sessionId: `${id}-s3`, number: 3 })).toMatchObject({
    kind: 'feature',
  });
});

test('a revert takes features, decisions and progress back, loses nothing, and is undone by another', async () => {
  const id = await seeded();
  const revert = (lineageId: string, checkpoint: string) =>
    revertProject(database, { lineageId, projectId: id, checkpoint, keptRef: 'refs/longhaul/reverted/x' });
  await revert(`${id}/l2`, 'c0');
  expect(await statuses(id)).toEqual({ entries: 'NOT_STARTED', report: 'NOT_STARTED' });
  expect(await readDecisions(database, id)).toEqual([]);
  expect((await readCheckpoints(database, id)).map((one) => one.id)).toEqual([`${id}/c0`]);

  await claimFeature(database, { projectId: id, sessionId: `${id}-s2`, number: 2 });
  await fail(id, 2);
  expect(await statuses(id)).toMatchObject({ entries: 'FAILING' });

  await revert(`${id}/l3`, 'c1');
  expect(await statuses(id)).toEqual({ entries: 'PASSING', report: 'NOT_STARTED' });
  expect(await readDecisions(database, id)).toHaveLength(1);
  const log = (await readProgress(database, id)).map((entry) => entry.action);
  expect(log).toEqual(['plan', 'entries, attempt 1', 'revert']);
  expect(await readCheckpoints(database, id, { all: true })).toHaveLength(2);
});

test('a revert that is tried again begins no second lineage', async () => {
  const id = await seeded();
  const request = { lineageId: `${id}/again`, projectId: id, checkpoint: 'c0', keptRef: 'refs/x' };
  expect(await revertProject(database, request)).toEqual(await revertProject(database, request));
  const reverts = (await readEvents(database, id)).filter((event) => event.data.type === 'project.reverted');
  expect(reverts).toHaveLength(1);
});

test('an unknown checkpoint is refused with the known ones', async () => {
  const id = await seeded();
  const request = { lineageId: `${id}/none`, projectId: id, checkpoint: 'c7', keptRef: 'refs/x' };
  await expect(revertProject(database, request)).rejects.toMatchObject({ code: 'UnknownCheckpoint' });
  await expect(revertProject(database, request)).rejects.toThrow(/Its checkpoints: c0 \(aaaaaaaa\), c1 \(bbbbbbbb\)/);
});

test('events that are written at once are numbered without a gap', async () => {
  const id = await seeded();
  await Promise.all(
    [2, 3, 4].map((number) => claimFeature(database, { projectId: id, sessionId: `${id}-s${number}`, number })),
  );
  const numbers = (await readEvents(database, id)).map((event) => event.number);
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
});

test('a directory does not become the home of two projects', async () => {
  const id = await seeded();
  const { folder } = await resolveProject(database, id);
  const second = { id: `${id}-second`, name: 'x', goal: 'x', folder, branch: 'main', settings: defaultProjectSettings };
  await expect(createProject(database, second)).rejects.toMatchObject({ code: 'FolderInUse' });
});

test("a project is found by its name although another's id begins with it", async () => {
  const add = (id: string, name: string) =>
    createProject(database, {
      id,
      name,
      goal: 'x',
      folder: `/tmp/${id}`,
      branch: 'main',
      settings: defaultProjectSettings,
    });
  await add('project-photos-1a2b', 'photos');
  await add('project-photos-web-3c4d', 'photos-web');
  const idOf = async (reference: string) => (await resolveProject(database, reference)).id;
  for (const empty of ['', ' ']) await expect(idOf(empty)).rejects.toThrow('Expected the id or name of a project'); // as of an unset variable
  expect(await idOf('photos')).toBe('project-photos-1a2b');
  expect(await idOf('photos-w')).toBe('project-photos-web-3c4d');
  expect(await idOf('project-photos-1')).toBe('project-photos-1a2b');
  await expect(idOf('photo')).rejects.toThrow('"photo" matches 2 projects');
  await add('project-photos-5e6f', 'photos');
  await expect(idOf('photos')).rejects.toThrow(
    '"photos" matches 2 projects: project-photos-5e6f, project-photos-1a2b. Use an id.',
  );
});

test('an ended project cannot continue in a folder that another project has taken', async () => {
  const id = await seeded();
  await setProjectStatus(database, id, 'ABANDONED');
  const ended = await resolveProject(database, id);
  await expect(refuseToReopen(database, ended)).resolves.toBeUndefined();
  await setProjectStatus(database, id, 'ACTIVE');
  await setProjectStatus(database, id, 'ABANDONED');

  const second = { ...ended, id: `${id}-second`, name: 'second' };
  await createProject(database, second);
  const refusal = `now belongs to the project "${second.id}", which is INITIALIZING`;
  await expect(refuseToReopen(database, ended)).rejects.toThrow(refusal);
  await expect(setProjectStatus(database, id, 'PAUSED')).rejects.toMatchObject({ code: 'FolderInUse' });
  await setProjectStatus(database, id, 'FAILED');
  await setProjectStatus(database, second.id, 'COMPLETED');
  await setProjectStatus(database, id, 'PAUSED');
  expect((await resolveProject(database, id)).status).toBe('PAUSED');
});

test('of two ended projects of one folder that are resumed at once, one continues', async () => {
  const id = await seeded();
  await setProjectStatus(database, id, 'ABANDONED');
  const second = { ...(await resolveProject(database, id)), id: `${id}-second`, name: 'second' };
  await createProject(database, second);
  await setProjectStatus(database, second.id, 'ABANDONED');
  const resumed = await Promise.allSettled([id, second.id].map((one) => setProjectStatus(database, one, 'ACTIVE')));
  expect(resumed.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('a project that cannot be opened is FAILED, also if it was ABANDONED before a resume; a COMPLETED one stays complete', async () => {
  const id = await seeded();
  const reopened = async (status: 'ABANDONED' | 'COMPLETED') => {
    await setProjectStatus(database, id, status, 'It ended.');
    await endUnopenedProject(database, id, 'FAILED', 'The folder is gone.');
    const { status: shown, statusReason } = await resolveProject(database, id);
    return `${shown}: ${statusReason}`;
  };
  expect(await reopened('ABANDONED')).toBe('FAILED: The folder is gone.');
  expect(await reopened('COMPLETED')).toBe('COMPLETED: It ended.');
});

test('NUL bytes and lone surrogates do not end a transcript', async () => {
  const id = await seeded();
  await database.insert(runs).values({ id: `${id}-r`, projectId: id, role: 'code', model: 'm', status: 'RUNNING' });
  const text = 'a\0b\ud800c';
  await writeMessage(database, {
    runId: `${id}-r`,
    number: 0,
    turn: 0,
    role: 'tool',
    content: { text, toolCallId: 'x' },
  });
  expect((await readMessages(database, `${id}-r`))[0]?.content.text).toBe('a\ufffdb\ufffdc');
});

const verification = { steps: [], protectedPaths: [], sealed: [] };

function addRegression(
  projectId: string,
  { id, sessionId, feature }: { id: string; sessionId: string; feature: string },
) {
  return addVerification(database, {
    id,
    projectId,
    sessionId,
    feature: { id: `${projectId}/${feature}`, name: feature, description: 'd', verification },
    commit: 'c'.repeat(40),
    image: null,
    purpose: 'regression',
    passed: false,
    reason: 'red',
    steps: [],
  });
}
