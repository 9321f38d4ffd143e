import { expect } from '@jest/globals';
import type { RevertResult } from '../../../domain/project/messages.ts';
import type { ProjectEventData } from '../../../domain/run/event.ts';
import { waitFor } from '../wait-for.ts';
import { expectUndamaged } from '../work/expect-undamaged.ts';
import { sandboxesOf } from '../work/sandboxes-of.ts';
import type { HeldProject, Moment } from './held-project.ts';
import { sessionsOf, untilCompleted } from './side-by-side.ts';

/** Something a person does to a held project, and what has to hold afterwards. */
export interface Control {
  name: string;
  /** Whether a person's commit is on the branch, for a revert to take back. */
  personCommits?: boolean;
  send(held: HeldProject): Promise<unknown>;
  expectHolds(held: HeldProject, answer: unknown): Promise<void>;
}

/** Sends nothing, to a project one of whose services was killed. */
export const leftAlone: Control = {
  name: 'it continues by itself and ends the same',
  send: async () => undefined,
  expectHolds: expectEndsTheSame,
};

export const pause: Control = {
  name: 'a pause starts nothing new, and the resume continues where it stopped',
  async send(held) {
    await held.project.pause({ reason: 'lunch' });
    return requestsOf(held);
  },
  expectHolds: (held, asked) => expectPauseHolds(held, asked as number, keptOf[held.moment]),
};

export const pauseNow: Control = {
  name: 'a pause --now stops what is in flight, and the resume continues where it stopped',
  async send(held) {
    await held.project.pause({ reason: 'lunch', now: true });
    return requestsOf(held);
  },
  expectHolds: (held, asked) => expectPauseHolds(held, asked as number, undefined),
};

export const revert: Control = {
  name: 'a revert takes everything back to the checkpoint, and the resume continues from there',
  personCommits: true,
  send: (held) => held.project.revert({ checkpoint: 'c0', reason: 'try again' }),
  expectHolds: (held, answer) => expectRevertHolds(held, answer as RevertResult),
};

export const abandon: Control = {
  name: 'an abandon leaves no container and everything readable',
  send: (held) => held.project.abandon('wrong goal'),
  expectHolds: expectAbandonHolds,
};

/** The event of what is in flight at each moment, which finishes and is kept; a model call that died with its worker is not repeated. */
const keptOf: Record<Moment, string | undefined> = {
  'a model call': undefined,
  'a command': 'tool.result',
  'the time between commit and verification': 'verification.completed',
};

async function expectPauseHolds(held: HeldProject, asked: number, kept: string | undefined): Promise<void> {
  const { project } = held;
  await waitFor('the pause to be shown', async () => (await project.status()).status === 'PAUSED');
  if (kept) await held.letGo(() => untilLogged(held, kept));
  const running = () => sandboxesOf(project.id, { running: true, host: held.host });
  await waitFor('the sandboxes to stop', async () => (await running()).length === 0);
  // The repeated call may be answered before the pause, which waits for a worker as well, reaches the session: one more.
  expect(requestsOf(held) - asked).toBeLessThanOrEqual(2 * repeatedCalls(held));
  expect(await project.status()).toMatchObject({ status: 'PAUSED', reason: 'lunch' });
  await project.resume();
  await expectEndsTheSame(held);
}

async function expectEndsTheSame(held: HeldProject): Promise<void> {
  const { project, folder } = held;
  await held.letGo(async () => {
    await untilCompleted(project);
  });
  expect(await sessionsOf(project)).toEqual([`${held.feature} 1 PASSED`]);
  const counts = { features: 1, commits: 2, decisions: 1, progressEntries: 2 };
  await expectUndamaged(project, held.stack.model, { folder, host: held.host, ...counts });
}

async function expectRevertHolds(held: HeldProject, { commit, keptRef }: RevertResult): Promise<void> {
  const { project, folder, git, feature } = held;
  expect(await project.status()).toMatchObject({ status: 'PAUSED', reason: expect.stringContaining('c0') });
  expect({
    head: git('rev-parse', 'HEAD'),
    kept: git('rev-parse', keptRef),
    changes: git('status', '--short'),
  }).toEqual({ head: commit, kept: held.head, changes: '' });
  expect((await project.checkpoints()).map((one) => one.commit)).toEqual([commit]);
  expect(await project.features()).toMatchObject([{ name: feature, status: 'NOT_STARTED' }]);
  expect(await project.decisions()).toEqual([]);
  expect(await sandboxesOf(project.id, held)).toEqual([]);
  const { reason } = (await project.sessions()).at(-1) ?? {};
  expect(reason).toBe('It was stopped.');

  await held.letGo(async () => {
    await project.resume();
    await untilCompleted(project);
  });
  expect(await sessionsOf(project)).toEqual([`${feature} 1 INTERRUPTED`, `${feature} 1 PASSED`]);
  // The plan, both sessions and the revert have progress entries.
  const counts = { features: 1, commits: 2, decisions: 1, progressEntries: 4 };
  const stopped = repeatedCalls(held);
  await expectUndamaged(project, held.stack.model, { folder, host: held.host, ...counts, stopped });
}

/** A worker that comes back only after Temporal gave up the dead one's model call may repeat that call before it learns of the pause or revert. */
function repeatedCalls({ moment }: HeldProject): number {
  return moment === 'a model call' ? 1 : 0;
}

async function expectAbandonHolds(held: HeldProject): Promise<void> {
  const { project, git, feature } = held;
  expect(await project.waitForEnd()).toEqual({ status: 'ABANDONED', reason: 'wrong goal' });
  expect(await sandboxesOf(project.id, held)).toEqual([]);
  const asked = requestsOf(held);
  expect(await project.sessions()).toMatchObject([{ feature, status: 'INTERRUPTED', reason: 'It was stopped.' }]);
  expect(await project.features()).toMatchObject([{ name: feature, status: 'INTERRUPTED' }]);
  expect(await project.decisions()).toMatchObject([{ title: feature }]);
  expect((await project.transcript('s1-plan')).messages.length).toBeGreaterThan(3);
  expect((await project.transcript('s1-work')).messages.length).toBeGreaterThan(0);
  expect(await project.report()).toContain('wrong goal');
  expect({ head: git('rev-parse', 'HEAD'), changes: git('status', '--short') }).toEqual({
    head: held.head,
    changes: '',
  });
  expect(requestsOf(held)).toBe(asked);
}

function requestsOf({ project, stack }: HeldProject): number {
  return stack.model.requests().filter((request) => request.project === project.id).length;
}

async function untilLogged({ project }: HeldProject, type: string): Promise<void> {
  const isEarlier = (data: ProjectEventData) =>
    ('run' in data && data.run.endsWith('-plan')) || ('purpose' in data && data.purpose === 'base');
  await waitFor(`${type} of what is in flight`, async () =>
    (await project.log()).some(({ data }) => data.type === type && !isEarlier(data)),
  );
}
