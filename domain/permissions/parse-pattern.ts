import picomatch from 'picomatch';
import { parse } from 'unbash';
import { canonicalAuthority } from '../network/canonical-host.ts';
import type { CallKind, Match, Subject, SubjectForm, TextPart } from './rule.ts';
import { readPatternWord } from './shell/words.ts';
import { normalizePath, parseDollars } from './subjects.ts';
import { overlaps, parseStars } from './text-pattern.ts';

type Matcher = (subject: Subject) => Match;

/** A matcher, or what a pattern should be so that something can match it. */
export function parsePattern(kind: CallKind, pattern: string): Matcher | { expected: string } {
  if (!pattern) return { expected: 'a pattern between the parentheses, such as *' };
  switch (kind) {
    case 'Run':
      return parseCommand(pattern);
    case 'Write':
    case 'Read':
      return parsePath(pattern);
    case 'Land':
      return parseLandedPath(pattern);
    case 'Network':
      return parseHost(pattern);
    case 'Spend':
      return parseSpending(pattern);
    case 'Tool':
      return parseName(pattern);
  }
}

function parseCommand(pattern: string): Matcher | { expected: string } {
  const expected =
    'one command, such as npm * or git push *: each command of a line is judged by itself, so a pattern with &&, |, ;, a redirection, a variable or $( ) matches none';
  const script = parse(pattern);
  const [statement, ...others] = script.commands;
  const command = statement?.command;
  const isOne = !script.errors?.length && others.length === 0 && !statement?.background && command?.type === 'Command';
  if (!isOne || !command.name || command.prefix.length || command.redirects.length) return { expected };
  const words = [command.name, ...command.args].map(readPatternWord);
  if (!words.every((word) => word !== undefined)) return { expected };
  const parts = words.flatMap((word, index) => (index === 0 ? word : [' ', ...word]));
  const isRest = words.length > 1 && words.at(-1)?.length === 1 && parts.at(-1) === null;
  // `npm *` is also `npm` alone.
  const patterns = isRest ? [parts, parts.slice(0, -2)] : [parts];
  const fits = (text: readonly TextPart[]) => patterns.some((one) => overlaps(one, text));
  return ({ forms }) =>
    best(
      forms,
      ({ text }) => fits([text]),
      ({ text, parts: known }) => (known.includes(null) || known.join('') !== text) && fits(known),
    );
}

function parsePath(pattern: string): Matcher | { expected: string } {
  const path = normalizePath(pattern);
  if (path.startsWith('../')) return { expected: 'a path in the workspace, or an absolute one' };
  return parseGlob(path, pattern, false);
}

function parseLandedPath(pattern: string): Matcher | { expected: string } {
  const path = normalizePath(pattern);
  if (path.startsWith('../') || path.startsWith('/')) return { expected: 'a path in the repository, such as .envrc' };
  return parseGlob(path, pattern, true);
}

/** A pattern without a slash names files in every folder. Names of landed files match in any case, as on the disks of some machines. */
function parseGlob(path: string, pattern: string, anyCase: boolean): Matcher | { expected: string } {
  if (pattern.startsWith('!')) return { expected: 'a pattern without "!" at its start, for the files that are meant' };
  const options = { dot: true, nonegate: true, noextglob: true, strictBrackets: true, nocase: anyCase };
  try {
    const fits = picomatch(path, { ...options, basename: !pattern.includes('/') });
    return ({ forms }) =>
      best(
        forms,
        ({ text }) => fits(text),
        ({ parts }) => parts.includes(null),
      );
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { expected: `a glob, such as .github/**: ${error.message}` };
  }
}

function parseHost(pattern: string): Matcher | { expected: string } {
  const host = canonicalAuthority(pattern);
  if (!/^(\*|(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*|\[?[0-9a-f:.]+\]?)(:\d+)?$/.test(host))
    return { expected: 'the name of a host, such as api.example.com or *.example.com, without https:// and path' };
  const parts = parseStars(host);
  return ({ forms }) => best(forms, ({ text }) => overlaps(parts, [text]));
}

function parseSpending(pattern: string): Matcher | { expected: string } {
  const limit = /^>\s*(.+)$/.exec(pattern)?.[1];
  const dollars = limit === undefined ? undefined : parseDollars(limit);
  if (dollars === undefined) return { expected: 'an amount that is exceeded, such as >5 USD' };
  return ({ forms: [{ text }] }) => ((parseDollars(text) ?? 0) > dollars ? 'yes' : 'no');
}

function parseName(pattern: string): Matcher | { expected: string } {
  if (!/^[\w*-]+$/.test(pattern)) return { expected: 'the name of a tool, such as resume_project' };
  const parts = parseStars(pattern);
  return ({ forms }) => best(forms, ({ text }) => overlaps(parts, [text]));
}

function best(
  forms: readonly SubjectForm[],
  fits: (form: SubjectForm) => boolean,
  mayFit: (form: SubjectForm) => boolean = () => false,
): Match {
  if (forms.some(fits)) return 'yes';
  return forms.some(mayFit) ? 'possibly' : 'no';
}
