import { expect, test } from '@jest/globals';
import { storableJson } from '../../db/connection/keep-storable.ts';
import { cutText, preview, storableText } from '../../domain/storable-text.ts';

test('text that Postgres refuses is replaced', () => {
  expect(storableText('a\0b\ud83dc\ude00😀')).toBe('a\uFFFDb\uFFFDc\uFFFD😀');
});

test('a cut leaves no half character', () => {
  expect(cutText('ab😀c', 3)).toBe('ab');
  expect(cutText('ab😀c', 4)).toBe('ab😀');
  expect(cutText('ab😀c', 5)).toBe('ab😀c');
  expect(cutText('ab', 5)).toBe('ab');
  expect(preview('ab😀cd', 4)).toBe('ab…');
});

test('JSON that Postgres refuses is replaced, and text that only looks like it is unchanged', () => {
  const value = {
    'na\0me': ['a\0', { half: '\ud83d', other: 'x\udc00y', whole: '😀' }],
    path: 'C:\\u0000\\ud83d "\\" \n\t\u001f\u2028',
    count: 3,
  };
  const stored = JSON.parse(storableJson(JSON.stringify(value)));
  expect(stored).toEqual({
    'na\uFFFDme': ['a\uFFFD', { half: '\uFFFD', other: 'x\uFFFDy', whole: '😀' }],
    path: value.path,
    count: 3,
  });
});
