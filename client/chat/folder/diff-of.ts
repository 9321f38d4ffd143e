import { isUtf8 } from 'node:buffer';
import { createTwoFilesPatch } from 'diff';

/** A unified diff of one file, as git shows it; undefined stands for no file. */
export function diffOf(path: string, before: Uint8Array | undefined, after: Uint8Array | undefined): string {
  const names = [before ? `a/${path}` : '/dev/null', after ? `b/${path}` : '/dev/null'] as const;
  const texts = [before, after].map((bytes) => (bytes === undefined ? '' : textOf(bytes)));
  const [old, current] = texts;
  if (old === undefined || current === undefined) return `Binary files ${names[0]} and ${names[1]} differ\n`;
  const patch = createTwoFilesPatch(...names, old, current, undefined, undefined, { context: 3, timeout: 5_000 });
  if (patch === undefined) return `Files ${names[0]} and ${names[1]} differ in too many lines to be shown\n`;
  return patch.replace(/^=+\n/, '');
}

/** Undefined if it is no text. */
function textOf(bytes: Uint8Array): string | undefined {
  const buffer = Buffer.from(bytes);
  return isUtf8(buffer) && !buffer.includes(0) ? buffer.toString('utf8') : undefined;
}
