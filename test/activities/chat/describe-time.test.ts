import { expect, test } from '@jest/globals';
import { describeNow, formatMoment } from '../../../activities/chat/describe-time.ts';

const noon = new Date('2026-11-22T13:05:40Z');

test("times are shown in the person's time zone", () => {
  expect(formatMoment(noon, 'Europe/Berlin')).toBe('Sun 2026-11-22 14:05 Europe/Berlin');
  expect(formatMoment(new Date('2026-12-31T23:30:00Z'), 'Asia/Tokyo')).toBe('Fri 2027-01-01 08:30 Asia/Tokyo');
  expect(formatMoment(new Date('2026-03-01T00:00:00Z'), 'UTC')).toBe('Sun 2026-03-01 00:00 UTC');
});

test('the time of a message that waited is the time it was sent', () => {
  expect(describeNow(new Date('2026-11-22T13:01:00Z'), noon, 'UTC')).toBe('[It is Sun 2026-11-22 13:05 UTC.]');
  expect(describeNow(new Date('2026-11-21T22:00:00Z'), noon, 'UTC')).toBe(
    '[It is Sun 2026-11-22 13:05 UTC; this was said Sat 2026-11-21 22:00.]',
  );
});
