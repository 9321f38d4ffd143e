import { expect, test } from '@jest/globals';
import { createLeases } from '../../../activities/model/leases.ts';

test('who watches would be forgotten, or every project that was ever watched be remembered', () => {
  let now = 0;
  const leases = createLeases(10, () => now);
  for (let project = 0; project < 1_000; project += 1) {
    now = project;
    leases.renew('present');
    leases.renew(`project-${project}`);
    expect(leases.size).toBeLessThanOrEqual(12);
  }
  now += 9;
  expect([leases.isHeld('present'), leases.isHeld('project-999'), leases.isHeld('project-990')]).toEqual([
    true,
    true,
    false,
  ]);
  leases.end('present');
  expect(leases.isHeld('present')).toBe(false);
  now += 1;
  expect(leases.isHeld('project-999')).toBe(false);
  expect(leases.size).toBe(0);
});
