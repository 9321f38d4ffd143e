import { expect, test } from '@jest/globals';
import { describeNow, formatMoment } from '../../../activities/chat/describe-time.ts';

const noon = new Date('2026-11-22T13:05:40Z');

test('a day of the week, or the day itself, would be another one than where the person is', () => {
  expect(formatMoment(noon, 'Europe/Berlin')).toBe('Sun 2026-11-22 14:05 Europe/Berlin');
  expect(formatMoment(new Date('2026-12-31T23:30:00Z'), 'Asia/Tokyo')).toBe('Fri 2027-01-01 08:30 Asia/Tokyo');
  expect(formatMoment(new Date('2026-03-01T00:00:00Z'), 'UTC')).toBe('Sun 2026-03-01 00:00 UTC');
});

test('"tomorrow" of a message that waited a night would be the day after', () => {
  expect(describeNow(new Date('2026-11-22T13:01:00Z'), noon, 'UTC')).toBe('[It is Sun 2026-11-22 13:05 UTC.]');
  expect(describeNow(new Date('2026-11-21T22:00:00Z'), noon, 'UTC')).toBe(
    '[It is Sun 2026-11-22 13:05 UTC; this was said Sat 2026-11-21 22:00.]',
  );
});
