import { joinWords } from '../../domain/slug.ts';

/** A short name from the first words of a text, in the text's own script: `qué-hay` for `¿Qué hay?`. */
export function chatNameOf(text: string): string {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu) ?? [];
  return joinWords(words) || 'chat';
}
