import assert from 'node:assert/strict';
import { nextStatuses } from '../../domain/stores/rules/task-rules.ts';
import { type NewTask, type TaskStatus, type TaskStore, taskStatuses } from '../../domain/stores/tasks.ts';
import { collect, isDate, refuses, type StoreContractCase, same, unique } from './contract-case.ts';

/** Creates tasks of one new project, by title. */
function creating(store: TaskStore) {
  const projectId = unique('project');
  const create = (title: string, more: Partial<NewTask> = {}) => store.create({ title, projectId, ...more });
  const titles = async (filter: object = {}) => (await store.list({ projectId, ...filter })).map(({ title }) => title);
  return { projectId, create, titles };
}

/** The statuses by which a new task reaches each. */
const ways: Record<TaskStatus, TaskStatus[]> = {
  not_started: [],
  in_progress: ['in_progress'],
  complete: ['complete'],
  cancelled: ['cancelled'],
};

const unknown = 2_000_000_000;

/** What every implementation of `TaskStore` does; run each case as a test. */
export const tasksContract: StoreContractCase<TaskStore>[] = [
  {
    title: 'a task is created once per id, with its defaults',
    async run(store) {
      const { create, projectId } = creating(store);
      const id = unique('task');
      const task = await create('Paint', { id, person: 'p', conversationId: undefined });
      same(await create('Paint again', { id }), task);
      const { number, createdAt, changedAt, ...rest } = task;
      same(rest, {
        ...{ id, title: 'Paint', description: '', status: 'not_started', priority: 5, due: null, dependsOn: [] },
        ...{ note: null, person: 'p', projectId, conversationId: null, attempts: 0, lastError: null, checkpoint: null },
      });
      assert.ok(Number.isInteger(number) && isDate(createdAt) && isDate(changedAt));
      same(await store.get(number), task);
    },
  },
  {
    title: 'what cannot be stored is refused: titles, priorities, days, numbers that no task has',
    async run(store) {
      const { create } = creating(store);
      const { number } = await create('Paint');
      for (const more of [{ priority: 11 }, { priority: 1.5 }, { due: '2026-02-30' }, { title: ' ' }])
        await refuses(() => create('x', more), 'InvalidInput');
      await refuses(() => store.change(number, { due: 'soon' }), 'InvalidInput');
      await refuses(() => create('x', { dependsOn: [unknown] }), 'TaskRefused');
      await refuses(() => store.change(number, { dependsOn: [unknown] }), 'TaskRefused');
      for (const work of [
        () => store.get(unknown),
        () => store.get(1.5),
        () => store.change(unknown, { due: null }),
        () => store.setStatus(unknown, 'complete'),
        () => store.checkpoint(unknown, 1),
        () => store.fail(unknown, 'x'),
      ])
        await refuses(work, 'UnknownTask');
      assert.equal(await store.delete(unknown), false);
    },
  },
  {
    title:
      'a list is in order of priority, due day and number, and has the open tasks unless another status is asked for',
    async run(store) {
      const { create, titles, projectId } = creating(store);
      await create('later', { due: '2026-05-01' });
      await create('no day');
      await create('sooner', { due: '2026-04-01', person: 'p' });
      await create('urgent', { priority: 9, conversationId: undefined });
      const { number } = await create('ended');
      await store.setStatus(number, 'cancelled');
      same(await titles(), ['urgent', 'sooner', 'later', 'no day']);
      same(await titles({ status: 'cancelled' }), ['ended']);
      assert.equal((await titles({ status: 'all' })).length, 5);
      same(await titles({ person: 'p' }), ['sooner']);
      same(await store.list({ projectId, conversationId: unique('c') }), []);
    },
  },
  {
    title: 'a task changes what is given and keeps the rest',
    async run(store) {
      const { create } = creating(store);
      const first = await create('First');
      const task = await create('Paint', { description: 'White.', due: '2026-04-01' });
      const changed = await store.change(task.number, { due: null, priority: 7, dependsOn: [first.number] });
      const { changedAt, ...rest } = changed;
      assert.ok(changedAt >= task.changedAt);
      const { changedAt: _, ...before } = task;
      same(rest, { ...before, due: null, priority: 7, dependsOn: [first.number] });
    },
  },
  ...taskStatuses.map((from) => ({
    title: `from ${from}, only the legal statuses follow, and the same one changes only the note`,
    async run(store: TaskStore) {
      const { create } = creating(store);
      for (const to of taskStatuses) {
        const { number } = await create(`${from} to ${to}`);
        for (const status of ways[from]) await store.setStatus(number, status);
        if (to === from) {
          const before = await store.get(number);
          const after = await store.setStatus(number, to, 'said');
          same({ ...after, changedAt: 0 }, { ...before, note: 'said', changedAt: 0 });
        } else if (nextStatuses[from].includes(to)) {
          assert.equal((await store.setStatus(number, to)).status, to);
        } else {
          await refuses(() => store.setStatus(number, to), 'TaskRefused');
          assert.equal((await store.get(number)).status, from);
        }
      }
    },
  })),
  {
    title: 'a task begins and is complete only when those that it depends on have ended',
    async run(store) {
      const { create } = creating(store);
      const [one, other] = [await create('One'), await create('Other')];
      const { number } = await create('Last', { dependsOn: [one.number, other.number] });
      await store.setStatus(one.number, 'complete');
      await store.setStatus(other.number, 'in_progress');
      for (const status of ['in_progress', 'complete'] as const)
        await refuses(() => store.setStatus(number, status), 'TaskRefused');
      await store.setStatus(other.number, 'cancelled');
      assert.equal((await store.setStatus(number, 'in_progress')).status, 'in_progress');
    },
  },
  {
    title:
      'no task depends on itself, directly or by others, also if two changes that would do so together come at once',
    async run(store) {
      const { create } = creating(store);
      const one = await create('One');
      const two = await create('Two', { dependsOn: [one.number] });
      const three = await create('Three', { dependsOn: [two.number] });
      await refuses(() => store.change(one.number, { dependsOn: [one.number] }), 'TaskRefused');
      await refuses(() => store.change(one.number, { dependsOn: [three.number] }), 'TaskRefused');
      same((await store.get(one.number)).dependsOn, []);
      const [left, right] = [await create('Left'), await create('Right')];
      const changes = await Promise.allSettled([
        store.change(left.number, { dependsOn: [right.number] }),
        store.change(right.number, { dependsOn: [left.number] }),
      ]);
      same(changes.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
    },
  },
  {
    title: 'the next task is the most urgent that is not started and whose dependencies have ended',
    async run(store) {
      const { create, projectId } = creating(store);
      assert.equal(await store.next({ projectId }), undefined);
      const first = await create('First', { priority: 2 });
      await create('Then', { priority: 9, dependsOn: [first.number] });
      assert.equal((await store.next({ projectId }))?.title, 'First');
      await store.setStatus(first.number, 'in_progress');
      assert.equal(await store.next({ projectId }), undefined);
      await store.setStatus(first.number, 'complete');
      assert.equal((await store.next({ projectId }))?.title, 'Then');
    },
  },
  {
    title: 'of callers that claim at once, each gets another task, and none gets one that has to wait',
    async run(store) {
      const { create, projectId } = creating(store);
      const first = await create('0');
      for (let index = 1; index < 8; index += 1) await create(`${index}`);
      await create('waits', { dependsOn: [first.number], priority: 10 });
      const claimed = await Promise.all(Array.from({ length: 10 }, () => store.claim({ projectId })));
      const titles = claimed.flatMap((task) => task?.title ?? []).toSorted();
      same(titles, ['0', '1', '2', '3', '4', '5', '6', '7']);
      assert.ok(claimed.every((task) => !task || (task.status === 'in_progress' && task.attempts === 1)));
    },
  },
  {
    title: 'a failed attempt leaves its error and its checkpoint to the next one',
    async run(store) {
      const { create, projectId } = creating(store);
      const { number } = await create('Crawl');
      await refuses(() => store.fail(number, 'x'), 'TaskRefused');
      await store.claim({ projectId });
      const data = { page: 3, seen: ['a\0'] };
      const kept = await store.checkpoint(number, data);
      same(kept.checkpoint?.data, data);
      assert.ok(isDate(kept.checkpoint?.at));
      const failed = await store.fail(number, 'The site is down.');
      assert.equal(failed.status, 'not_started');
      const again = await store.claim({ projectId });
      same(
        [again?.number, again?.attempts, again?.lastError, again?.checkpoint?.data],
        [number, 2, 'The site is down.', data],
      );
      assert.equal((await store.checkpoint(number, null)).checkpoint, null);
    },
  },
  {
    title: 'a deleted task is no longer depended on',
    async run(store) {
      const { create, projectId } = creating(store);
      const [one, other] = [await create('One'), await create('Other', { priority: 1 })];
      const { number } = await create('Last', { dependsOn: [one.number, other.number] });
      assert.equal(await store.delete(one.number), true);
      await refuses(() => store.get(one.number), 'UnknownTask');
      same((await store.get(number)).dependsOn, [other.number]);
      assert.equal((await store.next({ projectId }))?.number, other.number);
    },
  },
  {
    title:
      "a purge lists and removes one owner's tasks, or those that ended before a moment, and an export yields them",
    async run(store) {
      const { create, projectId, titles } = creating(store);
      const person = unique('person');
      await create('Theirs', { person });
      const open = await create('Open');
      same(
        (await collect(store.export({ person }))).map(({ kind, row }) => [kind, (row as { title: string }).title]),
        [['task', 'Theirs']],
      );
      assert.equal((await store.purge({ person }, { dryRun: true })).length, 1);
      same(await titles(), ['Theirs', 'Open']);
      same(
        (await store.purge({ person })).map(({ what }) => what),
        ['Theirs'],
      );
      same(await titles(), ['Open']);
      await store.setStatus(open.number, 'in_progress');
      same(await store.purge({ before: new Date(0) }), []);
      assert.equal((await store.purge({ project: projectId })).length, 1);
      same(await titles({ status: 'all' }), []);
    },
  },
];
