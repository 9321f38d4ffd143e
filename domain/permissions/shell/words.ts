import type { CommandArgument, DoubleQuotedChild, Word, WordPart } from 'unbash';
import type { TextPart } from '../rule.ts';

/** A word of a command as the shell passes it on. */
export interface ShellWord {
  /** Variables, substitutions and globs as they are written. */
  text: string;
  /** The text with null for what is only known when it runs. */
  parts: readonly TextPart[];
}

export const unknownWord: ShellWord = { text: '…', parts: [null] };

export function isKnown({ parts }: ShellWord): boolean {
  return !parts.includes(null);
}

/** Also of an argument that assigns, as those of `export` and `alias` do. */
export function readWord(argument: CommandArgument): ShellWord {
  if (argument.type === 'Word') return { text: argument.value, parts: partsOf(argument) };
  const { name, value, text } = argument;
  if (value.type !== 'Word') return { text, parts: [`${name}=`, null] };
  return { text: `${name}=${value.value}`, parts: [`${name}=`, ...partsOf(value)] };
}

/** A word of a pattern, in which `*` stands for any text; undefined if it contains what only a shell knows. */
export function readPatternWord(argument: CommandArgument): TextPart[] | undefined {
  const parts = argument.type === 'Word' ? argument.parts : [];
  const isStar = (part: WordPart) => part.type === 'Glob' && part.kind === 'star';
  if (parts?.some((part) => part.type !== 'Glob' && textPartsOf(part).includes(null))) return undefined;
  if (!parts?.length) return [...readWord(argument).parts];
  return parts.flatMap((part) => (isStar(part) ? [null] : part.type === 'Glob' ? [part.text] : textPartsOf(part)));
}

function partsOf({ value, parts }: Word): TextPart[] {
  return parts ? parts.flatMap(textPartsOf) : [value];
}

function textPartsOf(part: WordPart): TextPart[] {
  if (part.type === 'Literal' || part.type === 'SingleQuoted' || part.type === 'AnsiCQuoted') return [part.value];
  return part.type === 'DoubleQuoted' || part.type === 'LocaleString' ? part.parts.map(quotedPartOf) : [null];
}

function quotedPartOf(part: DoubleQuotedChild): TextPart {
  return part.type === 'Literal' ? part.value : null;
}
