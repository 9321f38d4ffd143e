import { hasMoreOptions } from './command-forms.ts';
import {
  isQuestion,
  isShell,
  isWrapper,
  namesCode,
  programOf,
  readsScript,
  readsWords,
  runsInputAlone,
  runsOtherCode,
  wrappedBy,
} from './programs.ts';
import { isKnown, type ShellWord, unknownWord } from './words.ts';

/** A command with what it reads, where the line says it: null if that is only known when it runs, undefined if the line says nothing. */
export interface ShellCommand {
  words: ShellWord[];
  input: string | null | undefined;
}

/** Takes what is found in a command. */
export interface Findings {
  /** A command that may be run. */
  command(words: ShellWord[]): void;
  /** A line of shell that may be run. */
  line(text: string): void;
  /** It may run what cannot be read. */
  opaque(why: string): void;
}

/** Wrappers with more arguments are not looked into. */
const maxArguments = 100;

/** Finds the commands that a command may run: itself, that of a wrapper such as `env`, the script of `bash -c` and of `eval`. */
export function readCommand({ words, input }: ShellCommand, found: Findings): void {
  const [name, ...args] = words;
  if (!name) return;
  readOne({ words, input }, found);
  const wrapped = wrappedBy(name, args);
  if (runsInputAlone(name) && !isQuestion(args)) readAlone(name, args, input, found);
  if (!isWrapper(name) && wrapped.length === 0) return;
  if (wrapped.length > maxArguments) found.opaque(`\`${programOf(name)}\` has more than ${maxArguments} arguments`);
  const known = wrapped.slice(0, maxArguments);
  const placeholder = placeholderOf(known);
  const rest = known.map((word) => (word.text.includes('{}') || isPlaceholder(word) ? unknownWord : word));
  const added = readsWords(name) ? [unknownWord] : [];
  if (added.length && (rest.length === 0 || rest.some((word) => isWrapper(word) || isShell(word))))
    found.opaque(`\`${programOf(name)}\` runs what it reads`);
  rest.forEach((word, index) => {
    readOne({ words: [...rest.slice(index), ...added], input }, found);
    for (const line of linesIn(word)) found.line(line);
    const [variable = ''] = word.text.split('=');
    if (namesCode(variable)) found.opaque(`${variable} names what is run`);
  });

  function isPlaceholder({ text }: ShellWord): boolean {
    return placeholder !== undefined && text.includes(placeholder) && !text.startsWith('-');
  }
}

/** What `xargs -I` replaces. */
function placeholderOf(args: ShellWord[]): string | undefined {
  const index = args.findIndex(({ text }) => /^-[IJi]/.test(text));
  if (index < 0) return undefined;
  return args[index]?.text.slice(2) || args[index + 1]?.text;
}

function readOne({ words, input }: ShellCommand, found: Findings): void {
  found.command(words);
  const [name, ...args] = words;
  if (!name) return;
  const program = programOf(name);
  if (program === 'eval') readEval(args, found);
  if (readsScript(name) && !isQuestion(args)) found.opaque(`\`${program}\` runs what it reads`);
  if (program === 'source' || program === '.') found.opaque(`\`${program}\` runs a file`);
  if (isShell(name)) readShell(program, args, input, found);
  if (hasMoreOptions(args)) found.opaque(`\`${program}\` has too many options before its subcommand`);
  if (runsOtherCode(name, args)) found.opaque(`\`${program}\` runs code that is not shell`);
}

/** Without a command, some wrappers run a shell; whether the words after their options are one is not known here. */
function readAlone(name: ShellWord, args: ShellWord[], input: string | null | undefined, found: Findings): void {
  const words = args.filter(({ text }) => !text.startsWith('-'));
  const least = /^(setarch|script)$/.test(programOf(name)) ? 1 : 0;
  if (words.length > least) return;
  if (typeof input === 'string') found.line(input);
  else found.opaque(`\`${programOf(name)}\` without a command runs what it reads`);
}

function readEval(words: ShellWord[], found: Findings): void {
  const args = words[0]?.text === '--' ? words.slice(1) : words;
  if (args.every(isKnown)) found.line(args.map(({ text }) => text).join(' '));
  else found.opaque('`eval` runs text that is only known when it runs');
}

/** Finds the script of `bash -c`, or that of its input where the line has it. */
function readShell(program: string, args: ShellWord[], input: string | null | undefined, found: Findings): void {
  if (isQuestion(args)) return;
  if (args.some(({ text }) => /^[-+]\w*c/.test(text) || text.startsWith('--command'))) {
    for (const word of args.flatMap((one) => (isKnown(one) ? [one.text] : [null]))) {
      if (word === null) found.opaque(`\`${program} -c\` runs text that is only known when it runs`);
      else found.line(word);
    }
  } else if (typeof input === 'string' && args.every(({ text }) => text.startsWith('-'))) {
    found.line(input);
  } else {
    found.opaque(`\`${program}\` runs a script that is not on the line`);
  }
}

/** Lines of shell that an argument may be, also behind an option or a name, as in `--split-string=rm -r x` and `x='rm -r'`. */
function linesIn(word: ShellWord): string[] {
  if (!isKnown(word)) return [];
  const { text } = word;
  const value = /^[\w.-]+=([\s\S]+)$/.exec(text)?.[1] ?? /^-\w([\s\S]+)$/.exec(text)?.[1];
  return [...(/[\s;|&$`()<>]/.test(text) ? [text] : []), ...(value ? [value] : [])];
}
