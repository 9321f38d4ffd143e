import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createEmbedderSource } from '../../../../db/memory/vectors/embedder-source.ts';
import type { OpenedEmbedder } from '../../../../domain/memory/embedder.ts';
import { createHashingEmbedder } from '../../../support/memory/hashing-embedder.ts';

const embedder = createHashingEmbedder();
let clock: number;

beforeEach(() => {
  clock = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => clock);
});
afterEach(() => void jest.restoreAllMocks());

/** An embedder source whose successive looks find these answers. */
function sourceOf(...answers: Array<Omit<OpenedEmbedder, 'reopen'> | 'away' | 'broken'>) {
  const notices: string[] = [];
  const state = { looks: 0 };
  const reopen = async (): Promise<OpenedEmbedder> => {
    const answer = answers[state.looks++] ?? 'away';
    if (answer === 'broken') throw new Error('No such module.');
    return answer === 'away' ? { reopen, notice: 'It does not answer.' } : answer;
  };
  return { source: createEmbedderSource({ reopen }, (notice) => notices.push(notice)), state, notices };
}

test('a model that is away is looked for once a minute, and reported once', async () => {
  const { source, state, notices } = sourceOf('away', { embedder });
  expect(await source.look()).toBeUndefined();
  expect(state.looks).toBe(0); // the store was opened just now, after a look of its own
  clock += 60_000;
  expect(await Promise.all([source.look(), source.look()])).toEqual([undefined, undefined]);
  clock += 59_999;
  expect(await source.look()).toBeUndefined();
  expect(state.looks).toBe(1);
  expect(source.isAwaited()).toBe(true);
  clock += 1;
  expect(source.current()).toBeUndefined(); // a search does not wait for the look
  expect(await source.look()).toBe(embedder);
  expect(source.isAwaited()).toBe(false);
  clock += 60_000;
  expect(source.current()).toBe(embedder);
  expect(state.looks).toBe(2);
  expect(notices).toEqual([expect.stringMatching(/^The embedding model hashing-512 is available now/)]);
});

test('a model that cannot run on this machine is reported and not tried again', async () => {
  const { source, state, notices } = sourceOf({ notice: 'It does not run on this machine.' });
  for (let time = 0; time < 3; time += 1) {
    clock += 60_000;
    expect(await source.look()).toBeUndefined();
  }
  expect(state.looks).toBe(1);
  expect(source.isAwaited()).toBe(false);
  expect(notices).toEqual(['It does not run on this machine.']);
});

test('a failed look ends neither the worker nor later looks', async () => {
  const { source, notices } = sourceOf('broken', { embedder });
  clock += 60_000;
  expect(source.current()).toBeUndefined();
  expect(await source.look()).toBeUndefined();
  expect(notices).toEqual([expect.stringContaining('No such module.')]);
  clock += 60_000;
  expect(await source.look()).toBe(embedder);
});
