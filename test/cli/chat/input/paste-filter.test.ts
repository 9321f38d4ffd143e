import { expect, test } from '@jest/globals';
import { createPasteFilter } from '../../../../cli/chat/input/paste-filter.ts';
import { createPastes } from '../../../../cli/chat/input/pastes.ts';

/** What reaches the line editor when these pieces arrive; pastes of more than three characters are shortened to their length. */
function pass(...pieces: string[]): string {
  const filter = createPasteFilter((text) => (text.length > 3 ? `[${text.length}]` : undefined)).setEncoding('utf8');
  for (const piece of pieces) filter.write(Buffer.from(piece, 'latin1'));
  return filter.read() ?? '';
}

const latin1 = (text: string) => Buffer.from(text).toString('latin1');

test('a long paste becomes a few words wherever its pieces are cut', () => {
  const keys = latin1('a\u001b[200~één\r\nzwei\u001b[201~b');
  for (let cut = 4; cut < keys.length; cut += 1) {
    if (keys.slice(cut - 3, cut).includes('\u001b') && cut < 6) continue; // a key by itself may begin so
    expect(pass(keys.slice(0, cut), keys.slice(cut))).toBe('a[8]b');
  }
});

test('short pastes and keys pass unchanged', () => {
  expect(pass('\u001b', '[A', 'x\u001b[200~a\rb\u001b[201~')).toBe('\u001b[Ax\u001b[200~a\rb\u001b[201~');
  expect(pass(latin1('日本'))).toBe('日本');
});

test('two pastes of one size are told apart, and a word that looks like one is not', () => {
  const pastes = createPastes();
  const [one, other] = ['1\n'.repeat(400), '2\n'.repeat(400)];
  expect(pastes.shorten('a\nb')).toBeUndefined();
  expect(pastes.shorten(one)).toBe('[400 lines pasted]');
  expect(pastes.shorten(other)).toBe('[400 lines pasted, #2]');
  expect(pastes.shorten(one)).toBe('[400 lines pasted]');
  expect(pastes.shorten('x'.repeat(5_000))).toBe('[5.0k characters pasted]');
  expect(pastes.expand('[400 lines pasted, #2] and [400 lines pasted], not [3 lines pasted]')).toBe(
    `${other} and ${one}, not [3 lines pasted]`,
  );
});
