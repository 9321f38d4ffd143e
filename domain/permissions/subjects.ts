import { canonicalAuthority } from '../network/canonical-host.ts';
import type { Call, CallKind, Subject } from './rule.ts';
import { commandForms } from './shell/command-forms.ts';
import { splitLine } from './shell/split-line.ts';
import { type ShellWord, unknownWord } from './shell/words.ts';

/** A piece of a call that rules decide on, and why it may be anything, where it may. */
export interface JudgedSubject {
  subject: Subject;
  opaque?: string;
}

/** The pieces of a call: of a line of shell its commands and the files of its redirections, of any other call itself. */
export function subjectsOf({ kind, subject }: Call): JudgedSubject[] {
  if (kind !== 'Run') return [{ subject: knownSubject(kind, normalize(kind, subject)) }];
  const { commands, writes, reads, opaque } = splitLine(subject);
  return [
    ...commands.map((words) => ({ subject: { kind, forms: commandForms(words) } })),
    ...writes.map((word) => ({ subject: fileSubject('Write', word) })),
    ...reads.map((word) => ({ subject: fileSubject('Read', word) })),
    ...opaque.map((why): JudgedSubject => ({ subject: { kind, forms: [unknownWord] }, opaque: why })),
  ];
}

function knownSubject(kind: CallKind, text: string): Subject {
  return { kind, forms: [{ text, parts: [text] }] };
}

function fileSubject(kind: 'Write' | 'Read', word: ShellWord): Subject {
  return word.parts.includes(null) ? { kind, forms: [word] } : knownSubject(kind, normalizePath(word.text));
}

function normalize(kind: CallKind, subject: string): string {
  if (kind === 'Write' || kind === 'Read' || kind === 'Land') return normalizePath(subject);
  return kind === 'Network' ? canonicalAuthority(subject) : subject.trim();
}

/** A path relative to the workspace where it is in it, without `.` and `..`. */
export function normalizePath(path: string): string {
  const isAbsolute = path.startsWith('/');
  const names: string[] = [];
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue;
    if (name !== '..') names.push(name);
    else if (names.length && names.at(-1) !== '..') names.pop();
    else if (!isAbsolute) names.push(name);
  }
  if (isAbsolute && names[0] === 'workspace' && names.length > 1) return names.slice(1).join('/');
  return `${isAbsolute ? '/' : ''}${names.join('/')}` || '.';
}

/** `5 USD`, `5` or `$5`; undefined for anything else. */
export function parseDollars(text: string): number | undefined {
  const amount = /^\$?(\d+(?:\.\d+)?)(?:\s*USD)?$/i.exec(text.trim())?.[1];
  return amount === undefined ? undefined : Number(amount);
}
