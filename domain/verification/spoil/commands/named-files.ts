import { foldersAbove } from '../../../folders-above.ts';
import { literalPattern } from '../../../literal-pattern.ts';
import { atCommand, foldersOf } from './script-calls.ts';

/** What runs a program; `itself` where the program is called by its path. */
export type Interpreter = 'python' | 'javascript' | 'shell' | 'itself';

const optionsOfNode = String.raw`\s+(?:(?:-[rC]|--(?:require|import|loader|experimental-loader|conditions|env-file|test-reporter))\s+\S+\s+|-\S+\s+)*`;
const python = String.raw`python[\d.]*`;
const shell = '(?:ba|da|k|z)?sh';
/** Each with its options. */
const interpreters: Array<[Interpreter, string]> = [
  ['python', String.raw`(?<![\w./-])(?:[\w./-]*\/)?${python}\s+(?:-[XW]\s+\S+\s+|-\S+\s+)*`],
  ['javascript', String.raw`(?<![\w./-])(?:[\w./-]*\/)?(?:node|bun(?:\s+run)?|tsx|deno\s+run)${optionsOfNode}`],
  ['shell', String.raw`${atCommand}(?:/bin/)?${shell}\s+(?:-[a-z]+\s+)*`],
  ['itself', atCommand],
];

/** Runs the tests of Node's own runner. */
export const nodeTest = `(?:node|tsx)${optionsOfNode}--test`;

/** What runs a file as a program, also from standard input; undefined if the command only gives it to a program, or does not name it. */
export function interpreterOf(command: string, path: string): Interpreter | undefined {
  const places = placesOf(command, path).map((place) => {
    const [, folder] = /^(.+)\/__main__\.py$/.exec(place) ?? [];
    const file = `(?:-\\s+)?(?:<\\s*)?["']?(?:\\./)?(?:${[place, ...(folder ? [folder] : [])].map(literalPattern).join('|')})(?![\\w./-])`;
    const module = `(?<=-m\\s+)${literalPattern(moduleOf(place).replace(/\.__main__$/, ''))}(?![\\w.])`;
    return { file, module };
  });
  const found = interpreters.find(([name, pattern]) =>
    places.some(({ file, module }) =>
      new RegExp(name === 'python' ? `${pattern}(?:${file}|${module})` : pattern + file).test(command),
    ),
  );
  return found?.[0];
}

/** Whether a command fails if a program does that it runs: each line has to succeed. */
export function surelyRuns(command: string, path: string): boolean {
  const lines = command.replace(/[ \t]*\d?>(?:&\d|[ \t]*\/dev\/null)/g, '').split('\n');
  const parts = lines.flatMap((line) => (/[;|(){}\\]|(?<!&)&(?!&)/.test(line) ? [] : line.split('&&')));
  return parts.some(
    (part) =>
      /^\s*(?:\w+=\S*\s+)*(?:\S*python[\d.]*|node|(?:ba|da)?sh|\.\/\S+)(?=\s|$)/.test(part) &&
      interpreterOf(part, path) !== undefined,
  );
}

const interpreter = `(?:${python}|node|bun|tsx|${shell})`;
const byVariable = new RegExp(
  String.raw`(?<![\w./-])(?:(?:${interpreter}|source|\.)\s+(?:-(?!n\b)\S+\s+)*["']?\$\{?\w|xargs\b[^|;&\n]*(?<![\w.-])${interpreter}(?![\w.-]))`,
);

/** Whether a command runs a program that a variable names, as in a loop, or that another program does. */
export function runsByVariable(command: string): boolean {
  return byVariable.test(command);
}

/** What a command gives to a runner. */
interface RunnerCall {
  /** Files, folders, modules and patterns; none if it runs all. */
  places: string[];
  /** Which names files must have. */
  pattern?: string | undefined;
}

/** Options whose value names nothing that is run. */
const otherOptions =
  /^(--ignore(-glob)?|--deselect|--exclude|-c|--config(-file)?|--rootdir|--confcutdir|-r|--require|--import|--loader|-t|--top-level-directory|--junit-?xml|--cov(-\w+)?|--output(File)?|--reporter|--basetemp|--log-file|--project|--root|--dir)$/;
const startOption = /^(-s|--start-directory)$/;
const patternOption = /^(-p|--pattern)$/;
const subcommands = /^(run|watch|test|discover|exec|start|related|bench)$/;
const pathLike = /[/*]|::|\.(py|[cm]?[jt]sx?)$/;

function callsOf(runners: RegExp, command: string): RunnerCall[] {
  return [...command.matchAll(new RegExp(runners.source, 'g'))].map(({ 0: runner, index }) => {
    const [, rest = ''] = /^[^\s;&|]*([^;&|\n<>()]*)/.exec(command.slice(index + runner.length)) ?? [];
    const words = (rest.match(/'[^']*'|"[^"]*"|\S+/g) ?? []).map((word) => word.replace(/^["']|["']$/g, ''));
    const discovers = words.includes('discover');
    const pattern = words.find((_, at) => discovers && patternOption.test(words[at - 1] ?? ''));
    const places = words.filter((word, at) => {
      const option = words[at - 1] ?? '';
      if (/^-|\.conf(ig)?\.\w+$/.test(word) || otherOptions.test(option) || patternOption.test(option)) return false;
      if (pathLike.test(word) || (discovers && startOption.test(option))) return true;
      return !option.startsWith('-') && !subcommands.test(word) && /^[\w.-]+$/.test(word);
    });
    return { places: places.map((place) => place.replace(/^\.\//, '').replace(/\/$/, '')), pattern };
  });
}

/** Whether a command gives a file to one of the runners: by its path, its module or a pattern of such. */
export function isGivenTo(runners: RegExp, command: string, path: string): boolean {
  return callsOf(runners, command).some((call) =>
    call.pattern === undefined
      ? placesOf(command, path).some((own) => call.places.some((place) => isItself(place, own)))
      : runsPath(call, command, path),
  );
}

/** Whether a command has one of the runners run all files, or those among which a file is. */
export function mayRun(runners: RegExp, command: string, path: string): boolean {
  return callsOf(runners, command).some((call) => runsPath(call, command, path));
}

function runsPath({ places, pattern }: RunnerCall, command: string, path: string): boolean {
  if (pattern !== undefined && !asPattern(pattern).test(path.slice(path.lastIndexOf('/') + 1))) return false;
  return places.length === 0 || placesOf(command, path).some((own) => places.some((place) => isAmong(place, own)));
}

function isItself(place: string, path: string): boolean {
  const [file = ''] = place.split('::', 1);
  if (file === path || (file.includes('*') && asPattern(file).test(path))) return true;
  return path.endsWith('.py') && `${place}.`.startsWith(`${moduleOf(path)}.`);
}

/** Whether a file is below a place, or for runners of JavaScript, has it in its path. */
function isAmong(place: string, path: string): boolean {
  if (place === '' || place === '.' || isItself(place, path) || path.startsWith(`${place}/`)) return true;
  return path.endsWith('.py') ? `${moduleOf(path)}.`.startsWith(`${place}.`) : path.includes(place);
}

/** A pattern of the shell. */
function asPattern(glob: string): RegExp {
  const parts = glob.split(/(\*\*\/?|\*|\?)/).map((part) => {
    if (part.startsWith('**')) return '.*';
    return part === '*' ? '[^/]*' : part === '?' ? '[^/]' : literalPattern(part);
  });
  return new RegExp(`^${parts.join('')}$`);
}

/** Whether a command has a file's path or module, or all of a folder that the file is in. */
export function namesAny(command: string, path: string): boolean {
  const withoutTest = command.replace(testProgram, ':');
  return placesOf(command, path).some(
    (place) =>
      includesFile(command, place) ||
      foldersAbove(place).some((folder) =>
        new RegExp(`(?<![\\w./-])(\\./)?${literalPattern(folder)}/?(?=$|[\\s"'*;&|)])`).test(withoutTest),
      ),
  );
}

/** Whether a command has a file's path or module. */
export function namesItself(command: string, path: string): boolean {
  return placesOf(command, path).some((place) => includesFile(command, place));
}

/** What a path may be called in a command: as it is, and from each folder that the command changes to. */
function placesOf(command: string, path: string): string[] {
  const below = foldersOf(command).filter((folder) => path.startsWith(folder));
  return [...new Set([path, ...below.map((folder) => path.slice(folder.length))])];
}

/** The program and the script `test`, which are no folder of that name. */
const testProgram = new RegExp(`(?:${atCommand}|\\b(?:npm|pnpm|yarn|bun|deno)\\s+(?:run\\s+)?)test(?=\\s|$)`, 'g');

function includesFile(command: string, path: string): boolean {
  return command.includes(path) || (path.endsWith('.py') && command.includes(moduleOf(path)));
}

function moduleOf(path: string): string {
  return path.replace(/\.\w+$/, '').replaceAll('/', '.');
}
