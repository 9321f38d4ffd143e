import type { Memory } from '../memory.ts';
import type { TimeRange } from './time-words.ts';

/** The most that each may add to a score between 0 and 1: they only decide between memories that fit about equally well. */
const recencyWeight = 0.03;
const importanceWeight = 0.04;
const timeWeight = 0.1;

/** Days after which the weight of recency has halved. */
const halfLife = 30;

export interface BoostSettings {
  now: Date;
  recency: boolean;
  importance: boolean;
  /** The time ranges that the question names. */
  times: readonly TimeRange[];
}

/** What a memory's age, importance and date add to its score. */
export function scoreBoost(
  memory: Pick<Memory, 'importance' | 'createdAt'>,
  { now, recency, importance, times }: BoostSettings,
): number {
  const days = Math.max(0, now.getTime() - memory.createdAt.getTime()) / 86_400_000;
  const inTime = times.some(({ from, to }) => memory.createdAt >= from && memory.createdAt < to);
  return (
    (recency ? recencyWeight * 0.5 ** (days / halfLife) : 0) +
    (importance ? importanceWeight * (memory.importance - 0.5) : 0) +
    (inTime ? timeWeight : 0)
  );
}
