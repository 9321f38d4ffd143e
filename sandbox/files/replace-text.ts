import { SandboxError } from '../errors.ts';

/** Context lines shown before and after a place in a file. */
const around = 3;

export interface Replacement {
  path: string;
  oldText: string;
  newText: string;
  replaceAll?: boolean;
}

/**
 * Replaces a text in the bytes of a file, leaving invalid UTF-8 elsewhere in it intact. In a file with CRLF, text with LF matches too.
 * @throws {SandboxError} FileRefused saying where the text occurs, or what comes closest to it.
 */
export function replaceText(content: Buffer, replacement: Replacement): { content: Buffer; summary: string } {
  const { path, replaceAll = false } = replacement;
  let oldText = Buffer.from(replacement.oldText);
  let newText = Buffer.from(replacement.newText);
  let places = findAll(content, oldText);
  if (places.length === 0 && content.includes('\r\n')) {
    oldText = Buffer.from(withCarriageReturns(replacement.oldText));
    newText = Buffer.from(withCarriageReturns(replacement.newText));
    places = findAll(content, oldText);
  }
  if (places.length === 0) throw new SandboxError('FileRefused', noMatchMessage(content.toString('utf8'), replacement));
  if (places.length > 1 && !replaceAll) {
    const lines = places.slice(0, 10).map((place) => lineOf(content, place));
    throw new SandboxError(
      'FileRefused',
      `The old text is in "${path}" ${places.length} times, on lines ${lines.join(', ')}${places.length > 10 ? ', ...' : ''}. Include more surrounding lines, or set replace_all.`,
    );
  }
  const pieces: Buffer[] = [];
  let end = 0;
  for (const place of places) {
    pieces.push(content.subarray(end, place), newText);
    end = place + oldText.length;
  }
  const edited = Buffer.concat([...pieces, content.subarray(end)]);
  return {
    content: edited,
    summary: summarize(edited, path, places, lineOf(content, places[0] ?? 0), replacement.newText),
  };
}

function summarize(edited: Buffer, path: string, places: number[], line: number, newText: string): string {
  if (places.length > 1) return `Replaced ${places.length} occurrences in "${path}".`;
  const lines = edited.toString('utf8').replaceAll('\r\n', '\n').split('\n');
  const first = Math.max(0, line - 1 - around);
  const shown = lines.slice(first, line - 1 + Math.min(newText.split('\n').length, 20) + around);
  return `Edited "${path}" on line ${line}. It now reads:\n${numberLines(shown, first + 1)}`;
}

function noMatchMessage(text: string, { path, oldText }: Replacement): string {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const wanted = oldText
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => line.trim());
  const start = wanted.findIndex((line) => line !== '');
  const candidates = lines.flatMap((line, index) =>
    start >= 0 && line.trim() === wanted[start] ? [index - start] : [],
  );
  const whole = candidates.find((first) => wanted.every((line, index) => lines[first + index]?.trim() === line));
  if (whole !== undefined) {
    return `The old text is not in "${path}" as given: its whitespace differs from lines ${whole + 1} to ${whole + wanted.length}, which read:\n${numberLines(lines.slice(Math.max(0, whole), whole + wanted.length), whole + 1)}`;
  }
  const best = candidates[0];
  if (best === undefined)
    return `The old text is not in "${path}" (${lines.length} lines), and neither is its first line. Read the file again.`;
  const differs = wanted.findIndex((line, index) => index >= start && lines[best + index]?.trim() !== line);
  return `The old text is not in "${path}". It matches from line ${best + start + 1} on, but line ${best + differs + 1} differs:\n${numberLines(lines.slice(Math.max(0, best), best + differs + 1 + around), Math.max(0, best) + 1)}`;
}

function findAll(content: Buffer, text: Buffer): number[] {
  const places: number[] = [];
  for (let place = content.indexOf(text); place !== -1; place = content.indexOf(text, place + text.length))
    places.push(place);
  return places;
}

function lineOf(content: Buffer, place: number): number {
  let line = 1;
  for (
    let newline = content.indexOf(0x0a);
    newline !== -1 && newline < place;
    newline = content.indexOf(0x0a, newline + 1)
  )
    line++;
  return line;
}

function withCarriageReturns(text: string): string {
  return text.replace(/\r?\n/g, '\r\n');
}

/** Prefixes lines with their numbers, as `read_file` shows them. */
export function numberLines(lines: string[], first: number): string {
  const width = String(first + lines.length - 1).length;
  return lines.map((line, index) => `${String(first + index).padStart(width)}\t${line}`).join('\n');
}
