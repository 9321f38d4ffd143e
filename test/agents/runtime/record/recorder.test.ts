import { expect, test } from '@jest/globals';
import { createRecorder } from '../../../../agents/runtime/record/recorder.ts';
import type { Operation, RunStore } from '../../../../agents/runtime/record/run-store.ts';
import { memoryRun } from '../../../support/work/memory-run.ts';

/** A store that keeps what a later recorder finds. */
function createStore(operations: Operation[] = []) {
  const store: RunStore = {
    async begin(operation) {
      operations.push({ ...operation, result: null, finished: false });
    },
    async finish(operation) {
      const earlier = operations.find(({ scope, key }) => scope === operation.scope && key === operation.key);
      if (earlier) Object.assign(earlier, { result: operation.result, finished: true });
      else operations.push({ ...operation, finished: true });
      return operation.result;
    },
    async checkpoint() {},
    async append() {},
  };
  return { store, operations };
}

const ask = (request: unknown) => ({ kind: 'model', name: 'generate', request });

test('what was asked before returns what it returned, whatever the order of its properties; what was not is done', async () => {
  const { store, operations } = createStore();
  const first = createRecorder({ runId: 'r', store, checkpoint: 0, operations: [] });
  await first.perform(ask({ a: 1, b: 2 }), async () => ({ result: 'one' }));
  const again = createRecorder({ runId: 'r', store, checkpoint: 0, operations });
  expect(await again.perform(ask({ b: 2, a: 1 }), async () => ({ result: 'two' }))).toBe('one');
  expect(await again.perform(ask({ a: 1, b: 3 }), async () => ({ result: 'two' }))).toBe('two');
});

test('the same question asked twice is two operations', async () => {
  const { store, operations } = createStore();
  const recorder = createRecorder({ runId: 'r', store, checkpoint: 0, operations: [] });
  const keys: string[] = [];
  for (const result of ['first', 'second']) {
    await recorder.perform(ask('look'), async (key) => {
      keys.push(key);
      return { result };
    });
  }
  expect(new Set(keys).size).toBe(2);
  const again = createRecorder({ runId: 'r', store, checkpoint: 0, operations });
  const none = async () => ({ result: 'none' });
  expect([await again.perform(ask('look'), none), await again.perform(ask('look'), none)]).toEqual(['first', 'second']);
});

test('after a checkpoint the same question is a new one', async () => {
  const { store, operations } = createStore();
  const recorder = createRecorder({ runId: 'r', store, checkpoint: 0, operations: [] });
  await recorder.perform(ask('look'), async () => ({ result: 'before' }));
  recorder.next();
  expect(await recorder.perform(ask('look'), async () => ({ result: 'after' }))).toBe('after');
  const again = createRecorder({ runId: 'r', store, checkpoint: 1, operations });
  expect(await again.perform(ask('look'), async () => ({ result: 'none' }))).toBe('after');
});

test('an operation that must not be begun twice, and whose end is unknown, is refused', async () => {
  const { store, operations } = createStore();
  const recorder = createRecorder({ runId: 'r', store, checkpoint: 0, operations: [] });
  const pay = { kind: 'tool', name: 'pay', once: true };
  const dying = recorder.perform(pay, () => Promise.reject(new Error('the process died')));
  await expect(dying).rejects.toThrow('died');
  const again = createRecorder({ runId: 'r', store, checkpoint: 0, operations });
  await expect(again.perform(pay, async () => ({ result: 'paid' }))).rejects.toMatchObject({ code: 'CallCutOff' });
});

test('a question that is asked again after it failed is not paid for again after a crash', async () => {
  const run = memoryRun([new Error('Overloaded.'), { text: 'Yes.' }, new Error('The process died.'), { text: 'No.' }]);
  const ask = async () => {
    const context = run.context();
    const first = await context.generate('Is it?').catch(() => context.generate('Is it?'));
    return [first.text, (await context.generate('Is it not?')).text];
  };
  await expect(ask()).rejects.toThrow('The process died.');
  expect(await ask()).toEqual(['Yes.', 'No.']);
  expect(run.asked).toHaveLength(4);
});
