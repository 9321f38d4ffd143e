import { expect, test } from '@jest/globals';
import { createProjectId, slugOf } from '../../../client/project/project-id.ts';

test.each([
  ['# spend: keep track of what I spend', 'spend-keep-track-of-what'],
  ['Café für Übermorgen', 'cafe-fur-ubermorgen'],
  ['  ../../etc/passwd; rm -rf ~', 'etc-passwd-rm-rf'],
  ['日本語の目標', 'project'],
  ['x'.repeat(300), 'x'.repeat(40)],
])('a name that folders and ids can carry comes from %j', (text, slug) => {
  expect(slugOf(text)).toBe(slug);
});

test('two projects of one name do not get one id', () => {
  const ids = new Set(Array.from({ length: 100 }, () => createProjectId('spend')));
  expect(ids.size).toBe(100);
  for (const id of ids) expect(id).toMatch(/^project-spend-[a-z0-9]{6}$/);
});
