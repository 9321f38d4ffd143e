import { expect, test } from '@jest/globals';
import { slugOf } from '../../domain/slug.ts';

test.each([
  ['# spend: keep track of what I spend', 'spend-keep-track-of-what'],
  ['Café für Übermorgen', 'cafe-fur-ubermorgen'],
  ['  ../../etc/passwd; rm -rf ~', 'etc-passwd-rm-rf'],
  ['日本語の目標', 'project'],
  ['x'.repeat(300), 'x'.repeat(40)],
])('a slug that folders and ids can carry is made of %j', (text, slug) => {
  expect(slugOf(text)).toBe(slug);
});
