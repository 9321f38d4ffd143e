import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import type { Colors } from '../style.ts';
import type { Highlight } from './highlight-code.ts';

export interface BlockStyle {
  colors: Colors;
  highlight: Highlight;
  /** In columns; no line is wider. */
  width: number;
}

/** Wraps text between words; a longer word is cut. */
export function wrap(text: string, width: number): string[] {
  return wrapAnsi(text, Math.max(1, width), { hard: true }).split('\n');
}

/** Wraps a line that is too wide between words, and keeps its spaces. */
export function wrapWide(line: string, width: number, wordWrap = true): string[] {
  if (stringWidth(line) <= width) return [line];
  return wrapAnsi(line, Math.max(1, width), { hard: true, wordWrap, trim: false }).split('\n');
}

/** Cuts a line that is too wide where the screen ends, as a terminal does. */
export function cut(line: string, width: number): string[] {
  return wrapWide(line, width, false);
}
