import { expect, test } from '@jest/globals';
import { applyLanceSettings } from '../../../../db/memory/table/lance-settings.ts';

test("the words of a tenth of all memories would be looked for one by one, or somebody's own setting be lost", () => {
  const unset: Record<string, string> = {};
  applyLanceSettings(unset);
  expect(Number(unset.LANCE_FLAT_SEARCH_PERCENT_THRESHOLD)).toBeLessThan(10);
  const set = { LANCE_FLAT_SEARCH_PERCENT_THRESHOLD: '50' };
  applyLanceSettings(set);
  expect(set.LANCE_FLAT_SEARCH_PERCENT_THRESHOLD).toBe('50');
});
