import { expect, test } from '@jest/globals';
import { createWordPieces } from '../../../models/embedding/word-pieces.ts';

const pieces = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]', 'run', '##ning', 'cafe', ',', '日'];
const encode = createWordPieces(`${pieces.join('\n')}\n`);
const told = (text: string, most = 20) => encode(text, most).map((id) => pieces[id]);

test('a word is split into its longest known pieces, whatever its capitals and accents', () => {
  expect(told('Running, Café')).toEqual(['[CLS]', 'run', '##ning', ',', 'cafe', '[SEP]']);
});

test('an unknown word has a token, and Chinese one per character', () => {
  expect(told('xyz 日日')).toEqual(['[CLS]', '[UNK]', '日', '日', '[SEP]']);
});

test('a cut text keeps its end mark', () => {
  expect(told('run run run run run', 4)).toEqual(['[CLS]', 'run', 'run', '[SEP]']);
});
