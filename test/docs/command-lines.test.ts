import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import { Command, CommanderError } from 'commander';
import { addCommands } from '../../cli/program/add-commands.ts';
import { createCommandContext } from '../../cli/program/create-command-context.ts';
import { refuseUnknownCommands } from '../../cli/program/refuse-unknown-command.ts';
import { packageRoot } from '../../config/package-root.ts';

const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'],
  ...readdirSync(join(packageRoot(), 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

const sourceFolders = [
  ...['activities', 'agents', 'cli', 'client', 'config', 'db', 'domain', 'git', 'models', 'runtime', 'sandbox'],
  ...['setup', 'temporal', 'workers', 'workflows'],
];

/** A command line that a page shows; one within a sentence may leave out its arguments. */
interface Shown {
  line: string;
  isComplete: boolean;
}

/** The lines of a page's code blocks and the code of its sentences that call `longhaul`. */
function commandLinesOf(page: string): Shown[] {
  const text = readFileSync(join(packageRoot(), page), 'utf8');
  const parts = text.split(/^ *```.*$/m); // every second one is a block
  return parts.flatMap((part, index) => {
    const isComplete = index % 2 === 1;
    const code = isComplete ? part.split('\n') : [...part.matchAll(/`([^`]+)`/g)].map(([, inside = '']) => inside);
    return code.flatMap((line) => {
      const [, command] = /^(?:\$ |.* \| |\w+=\S+ )*(?:npx )?longhaul (.*)$/.exec(line.trim()) ?? [];
      return command === undefined ? [] : [{ line: command, isComplete }];
    });
  });
}

/** The commands in backticks of a source's texts, with a number for each value. */
function commandsNamedIn(source: string): Shown[] {
  const filled = source.replace(/\$\{[^}]*\}/g, '1');
  return [...filled.matchAll(/`longhaul ([a-z][^`\\]+)\\?`/g)].map(([, line = '']) => ({ line, isComplete: false }));
}

/** The words of a command line, once for each of its alternatives: `runs list | show <run>`. */
function alternativesOf(line: string, program: Command): string[][] {
  const [first = [], ...others] = partsOf(line);
  const { command, depth } = groupOf(first, program);
  const siblings = command.commands.map((one) => one.name());
  const named = others.filter(([word = '']) => siblings.includes(word)); // what is none is another program after a pipe
  return [first, ...named.map((words) => [...first.slice(0, depth), ...words])];
}

function groupOf(words: string[], program: Command): { command: Command; depth: number } {
  let [command, depth] = [program, 0];
  for (const word of words) {
    const next = command.commands.find((one) => one.name() === word);
    if (!next?.commands.length) break;
    [command, depth] = [next, depth + 1];
  }
  return { command, depth };
}

/** The words between the pipes, as a shell splits them, up to what is no part of the command; what stands for something, such as `<n>`, is a number. */
function partsOf(line: string): string[][] {
  const filled = line.replace(/<[\w -]+>/g, '1').replace(/[[\]…]|\.\.\.$/g, '');
  const words = [...filled.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) => word);
  const end = words.findIndex((word) => /^(?:#.*|[<>]+|2>|&&|;)$/.test(word));
  const parts: string[][] = [[]];
  for (const word of words.slice(0, end === -1 ? undefined : end)) {
    if (word === '|') parts.push([]);
    else parts.at(-1)?.push(/^[\w|]+$/.test(word) ? word.replace(/\|.*/, '') : word.replace(/["']/g, '')); // the first of `yes|no`
  }
  return parts;
}

/** A program that reads command lines and does nothing. */
function createReader(): Command {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const context = createCommandContext(
    {
      environment: {},
      folder: packageRoot(),
      stdin: stdin as unknown as NodeJS.ReadStream,
      stdout: stdout as unknown as NodeJS.WriteStream,
      stderr: stderr as unknown as NodeJS.WriteStream,
    },
    { interruptSignal: () => new AbortController().signal, setExitCode: () => {} },
  );
  const program = new Command('longhaul').version('1').enablePositionalOptions().exitOverride();
  program.configureOutput({ writeOut: () => {}, writeErr: () => {} });
  addCommands(program, context);
  refuseUnknownCommands(program);
  idle(program);
  return program;
}

function idle(group: Command): void {
  for (const command of group.commands) {
    command.action(() => {});
    idle(command);
  }
}

/** Why the program would refuse it. */
function refusalOf(words: string[], reader: Command, isComplete: boolean): string | undefined {
  try {
    reader.parse(words, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const isHelp = ['commander.help', 'commander.helpDisplayed', 'commander.version'].includes(error.code);
    const isShort = ['commander.missingArgument', 'commander.optionMissingArgument'].includes(error.code);
    if (isHelp || (isShort && !isComplete)) return undefined;
    return error.message;
  }
  return undefined;
}

/** Those that the program would refuse, and why. */
function refusedOf(commands: Shown[]): string[] {
  const reader = createReader();
  const refused = commands.flatMap(({ line, isComplete }) =>
    alternativesOf(line, reader).flatMap((words, index, all) => {
      const takesAll = isComplete && index === all.length - 1; // the last of the alternatives has the arguments of all
      const refusal = refusalOf(words, reader, takesAll);
      return refusal ? [`longhaul ${words.join(' ')}: ${refusal}`] : [];
    }),
  );
  return [...new Set(refused)];
}

test.each(pages)('the command line takes each command that %s shows', (page) => {
  expect(refusedOf(commandLinesOf(page))).toEqual([]);
});

test('the command line takes each command that a text of the source names', () => {
  const files = sourceFolders.flatMap((folder) =>
    readdirSync(join(packageRoot(), folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|md|mjs)$/.test(name))
      .map((name) => join(folder, name)),
  );
  const named = files.flatMap((file) => commandsNamedIn(readFileSync(join(packageRoot(), file), 'utf8')));
  expect(named.length).toBeGreaterThan(100);
  expect(refusedOf(named)).toEqual([]);
});

test('the pages show many commands, so that these tests read them', () => {
  expect(pages.flatMap(commandLinesOf).length).toBeGreaterThan(150);
});
