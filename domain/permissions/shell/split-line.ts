import { type Command, forEachChild, parse, type SyntaxNode } from 'unbash';
import { holdsCode, namesCode, programOf } from './programs.ts';
import { readCommand } from './read-command.ts';
import { isKnown, readWord, type ShellWord, unknownWord } from './words.ts';

/** What a line of shell may do, as far as it can be read from it. */
export interface SplitLine {
  /** Every command that it may run, each as its words. */
  commands: ShellWord[][];
  /** Files that it writes or reads by redirection. */
  writes: ShellWord[];
  reads: ShellWord[];
  /** Why it may also run what cannot be read from it. */
  opaque: string[];
}

/** Lines in lines, such as that of `bash -c`, are followed to this depth. */
const maxDepth = 12;

/** More is not read: whoever wrote the line could hold up the worker by it. */
const maxLength = 32_000;
const maxCommands = 2_000;

/** Characters of all lines in the line, and of all words of its commands: a wrapper's arguments are read again and again. */
const maxRead = 200_000;

/** Substitutions in substitutions are followed to this depth, since each has its whole text parsed anew. */
const maxLevels = 20;

/** The end of each is looked for up to the end of the line. */
const maxHereDocuments = 200;

const expands = /Expansion|Substitution/;

const changesFolder = /^(cd|pushd|popd)$/;

function entersFolder(program: string, args: ShellWord[]): boolean {
  return changesFolder.test(program) || (program === 'env' && args.some(({ text }) => /^(-\w*C|--c)/.test(text)));
}

/** Takes a line of shell apart: pipes, lists, substitutions, groups and functions, and what `env`, `xargs`, `bash -c` and the like run. */
export function splitLine(line: string): SplitLine {
  const split: SplitLine = { commands: [], writes: [], reads: [], opaque: [] };
  const opaque = (why: string) => {
    if (!split.opaque.includes(why)) split.opaque.push(why);
  };
  let readSoFar = 0;
  /** What is not read may be anything, also a redirection. */
  const giveUp = (why: string) => {
    opaque(why);
    for (const files of [split.writes, split.reads]) if (files.at(-1) !== unknownWord) files.push(unknownWord);
  };
  read(line, 0);
  if (split.commands.some(([name, ...args]) => name && entersFolder(programOf(name), args))) {
    split.writes = split.writes.map(inUnknownFolder);
    split.reads = split.reads.map(inUnknownFolder);
  }
  return split;

  function read(text: string, depth: number): void {
    if (depth > maxDepth) giveUp('its commands are nested too deeply');
    else if (text.length > maxLength) giveUp(`it is longer than ${maxLength} characters`);
    else if (text.split('<<').length > maxHereDocuments) giveUp(`it has more than ${maxHereDocuments} here-documents`);
    else if (!isBeyondBudget(text.length)) visitAll(parse(text), text, depth);
  }

  function isBeyondBudget(characters: number): boolean {
    readSoFar += characters;
    if (readSoFar > maxRead) giveUp('it is too complex to read');
    return readSoFar > maxRead;
  }

  /** Not by recursion, since lines may be nested more deeply than the call stack. */
  function visitAll(script: SyntaxNode, text: string, depth: number): void {
    const left = [{ node: script, level: 0 }];
    for (let next = left.pop(); next; next = left.pop()) {
      const { node, level } = next;
      if (split.commands.length > maxCommands) giveUp(`it has more than ${maxCommands} commands`);
      if (split.commands.length > maxCommands || readSoFar > maxRead) return;
      visit(node, text, depth);
      const inner = expands.test(node.type) ? level + 1 : level;
      if (inner > maxLevels) {
        giveUp('its substitutions are nested too deeply');
        continue;
      }
      const children: SyntaxNode[] = [];
      forEachChild(node, (child) => children.push(child));
      left.push(...children.reverse().map((child) => ({ node: child, level: inner })));
    }
  }

  function visit(node: SyntaxNode, text: string, depth: number): void {
    if ('errors' in node && node.errors?.length) giveUp(`it cannot be parsed: ${node.errors[0]?.message}`);
    if (node.type === 'Assignment' && namesCode(node.name)) opaque(`${node.name} names what is run`);
    if (node.type === 'Assignment' && holdsCode(readWord(node))) opaque(`${node.name} holds what may be run`);
    if (node.type === 'TestCommand' && /'[^']*(\$\(|`)/.test(text.slice(node.pos, node.end)))
      opaque('it tests what may be run');
    if (node.type === 'Word' && /\$\{[^}]*@P\}/.test(node.text)) opaque('it runs what a variable holds');
    if (node.type === 'Redirect' && node.target) addRedirect(node.operator, readWord(node.target));
    if (node.type === 'Command' && node.name) {
      const words = [readWord(node.name), ...node.args.map(readWord)];
      const command = (found: ShellWord[]) => {
        if (!isBeyondBudget(found.reduce((sum, { text }) => sum + text.length + 1, 0))) split.commands.push(found);
      };
      readCommand({ words, input: inputOf(node) }, { command, line: (found) => read(found, depth + 1), opaque });
    }
  }

  function addRedirect(operator: string, target: ShellWord): void {
    if (operator.endsWith('&') && /^[\d-]+$/.test(target.text)) return; // another descriptor
    const file = isElsewhere(target) ? { text: target.text, parts: [null] } : target;
    if (operator.startsWith('<')) split.reads.push(file);
    if (operator !== '<' && operator !== '<&') split.writes.push(file);
  }
}

function inUnknownFolder(file: ShellWord): ShellWord {
  return file.text.startsWith('/') ? file : { text: file.text, parts: [null, ...file.parts] };
}

/** The last redirection of the input decides; a file's content is not on the line. */
function inputOf({ redirects }: Command): string | null | undefined {
  const input = redirects.findLast(({ operator, descriptor }) => operator.startsWith('<') && isInput(descriptor));
  if (input?.type === 'HereDoc') {
    const isPlain = input.delimiter?.quoted || input.body.parts === undefined;
    return isPlain ? input.body.text : null;
  }
  if (input?.type !== 'HereString' || !input.target) return input && null;
  const word = readWord(input.target);
  return isKnown(word) ? word.text : null;
}

function isInput(descriptor: Command['redirects'][number]['descriptor']): boolean {
  return descriptor === undefined || (descriptor.type === 'FileDescriptor' && Number(descriptor.value) === 0);
}

/** Whether a file is named by a folder that only a shell or the kernel knows. */
function isElsewhere({ text }: ShellWord): boolean {
  return /^~[+\-\d]/.test(text) || text.startsWith('/proc/') || text.startsWith('/dev/fd/');
}
