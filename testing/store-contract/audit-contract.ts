import assert from 'node:assert/strict';
import type { AuditStore } from '../../domain/stores/audit.ts';
import { collect, isDate, refuses, type StoreContractCase, same, unique } from './contract-case.ts';

/** What every implementation of `AuditStore` does; run each case as a test. */
export const auditContract: StoreContractCase<AuditStore>[] = [
  {
    title: 'an entry is recorded once per id, with whom it concerns',
    async run(store) {
      const [id, projectId] = [unique('entry'), unique('project')];
      const details = { path: 'a\0', order: { z: 1, a: 2 } };
      const entry = await store.record({
        id,
        projectId,
        actor: 'anna',
        action: 'file.write',
        subject: 'a.ts',
        details,
      });
      same(await store.record({ id, projectId, actor: 'other', action: 'other' }), entry);
      const { createdAt, ...rest } = entry;
      assert.ok(isDate(createdAt));
      same(rest, {
        ...{ id, projectId, actor: 'anna', action: 'file.write', subject: 'a.ts', details },
        ...{ person: null, conversationId: null, runId: null },
      });
      same(await store.entries({ projectId }), [entry]);
    },
  },
  {
    title: 'entries are read latest first, by whom they concern, by what was done, by time, and up to a limit',
    async run(store) {
      const [projectId, runId] = [unique('project'), unique('run')];
      const days = ['2026-01-01', '2026-01-02', '2026-01-03'].map((day) => new Date(day));
      for (const [index, createdAt] of days.entries())
        await store.record({
          projectId,
          actor: 'anna',
          action: `act ${index}`,
          createdAt,
          ...(index === 1 && { runId }),
        });
      const read = async (filter: object) =>
        (await store.entries({ projectId, ...filter })).map(({ action }) => action);
      same(await read({}), ['act 2', 'act 1', 'act 0']);
      same(await read({ limit: 2 }), ['act 2', 'act 1']);
      same(await read({ after: days[1], before: days[2] }), ['act 1']);
      same(await read({ runId }), ['act 1']);
      same(await read({ action: 'act 0' }), ['act 0']);
      same(await read({ actor: 'nobody' }), []);
    },
  },
  {
    title: 'an error stays open until it is resolved, and its first resolution stays',
    async run(store) {
      const runId = unique('run');
      const error = { runId, type: 'TypeError', message: 'x is not a function', stack: 'at y' };
      const { id, resolution } = await store.recordError({ ...error, severity: 'high' });
      await store.recordError({ ...error, severity: 'low' });
      assert.equal(resolution, null);
      const resolved = await store.resolveError(id, 'Restarted.', 'anna');
      same([resolved.resolution?.how, resolved.resolution?.by], ['Restarted.', 'anna']);
      same(await store.resolveError(id, 'Again.'), resolved);
      same(
        (await store.errors({ runId, open: true })).map(({ severity }) => severity),
        ['low'],
      );
      same(await store.errors({ runId, open: false }), [resolved]);
      assert.equal((await store.errors({ runId, severity: 'high', type: 'TypeError' })).length, 1);
      await refuses(() => store.resolveError(unique('error'), 'x'), 'UnknownError');
    },
  },
  {
    title: 'a metric is summarized with percentiles that occur among its values',
    async run(store) {
      const [projectId, name] = [unique('project'), unique('seconds')];
      const values = Array.from({ length: 200 }, (_, index) => 200 - index);
      await store.measure(
        ...values.map((value) => ({
          name,
          value,
          projectId,
          unit: 's',
          labels: { model: value > 100 ? 'large' : 'small' },
        })),
      );
      same(await store.summarize(name), { count: 200, min: 1, max: 200, mean: 100.5, p50: 100, p90: 180, p99: 198 });
      same(await store.summarize(name, { labels: { model: 'small' } }), {
        ...{ count: 100, min: 1, max: 100, mean: 50.5, p50: 50, p90: 90, p99: 99 },
      });
      const none = { count: 0, min: null, max: null, mean: null, p50: null, p90: null, p99: null };
      same(await store.summarize(name, { projectId: unique('project') }), none);
      await store.measure({ name: `${name}-one`, value: -0.5 });
      same(await store.summarize(`${name}-one`), {
        ...{ count: 1, min: -0.5, max: -0.5, mean: -0.5, p50: -0.5, p90: -0.5, p99: -0.5 },
      });
      await refuses(() => store.measure({ name, value: 1 }, { name, value: Number.NaN }), 'InvalidInput');
      assert.equal((await store.summarize(name)).count, 200);
    },
  },
  {
    title: "a purge lists and removes one owner's rows of all kinds, and an export yields them",
    async run(store) {
      const [person, conversationId] = [unique('person'), unique('conversation')];
      const name = unique('seconds');
      await store.record({ person, actor: person, action: 'say' });
      await store.record({ conversationId, actor: 'agent', action: 'answer' });
      await store.record({ person: unique('person'), conversationId: unique('c'), actor: 'other', action: 'stays' });
      await store.recordError({ person, severity: 'low', type: 'Slow', message: '' });
      await store.measure({ name, value: 1, person }, { name, value: 2, person });
      const owner = { person, sessions: [conversationId] };
      assert.equal((await collect(store.export(owner))).length, 5);
      const line = ({ kind, what, rows = 1 }: { kind: string; what: string; rows?: number | undefined }) =>
        `${kind} ${what} ${rows}`;
      const all = [`entry answer 1`, `entry say 1`, `error Slow 1`, `metric ${name} 2`];
      same((await store.purge(owner, { dryRun: true })).map(line).toSorted(), all);
      same((await store.purge(owner)).map(line).toSorted(), all);
      same(await collect(store.export(owner)), []);
      same(await store.purge(owner), []);
    },
  },
];
