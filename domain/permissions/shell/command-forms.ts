import type { SubjectForm, TextPart } from '../rule.ts';
import type { ShellWord } from './words.ts';

/** More options are not left out. */
const maxOptions = 20;

/**
 * The ways in which a rule may name a command: as it is written, by its program without the folder, and without the options that precede its
 * subcommand, as `git push` names `git -C . push`.
 */
export function commandForms(words: ShellWord[]): [SubjectForm, ...SubjectForm[]] {
  const [name = { text: '', parts: [] }, ...args] = words;
  const names = name.text.includes('/') ? [name, withoutFolder(name)] : [name];
  const rests = [args];
  for (let left = 1; left <= Math.min(args.length, maxOptions) && mayBeOption(args, left - 1); left += 1) {
    rests.push(args.slice(left));
  }
  const [first = [], ...others] = names.flatMap((one) => rests.map((rest) => [one, ...rest]));
  return [joinWords(first), ...others.map(joinWords)];
}

/** Whether a command may have a subcommand that no form shows. */
export function hasMoreOptions(args: ShellWord[]): boolean {
  const isOption = args.slice(0, maxOptions + 1).every((_, index) => mayBeOption(args, index));
  return args.length > maxOptions && isOption;
}

/** Whether an argument is an option, or may be the value of one. */
function mayBeOption(args: ShellWord[], index: number): boolean {
  const before = args[index - 1]?.text ?? '';
  return args[index]?.text.startsWith('-') || /^-[^=]*$/.test(before);
}

function withoutFolder({ text, parts }: ShellWord): ShellWord {
  const last = parts.findLastIndex((part) => part?.includes('/'));
  const after: TextPart[] = parts.slice(last);
  const [first] = after;
  return {
    text: text.slice(text.lastIndexOf('/') + 1),
    parts: typeof first === 'string' ? [first.slice(first.lastIndexOf('/') + 1), ...after.slice(1)] : parts,
  };
}

function joinWords(words: ShellWord[]): SubjectForm {
  return {
    text: words.map(({ text }) => text).join(' '),
    parts: words.flatMap(({ parts }, index) => (index === 0 ? parts : [' ', ...parts])),
  };
}
