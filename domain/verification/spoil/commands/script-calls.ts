import type { Span } from '../source-text.ts';

/** A call in a command of a script of `package.json`, or of targets of a makefile. */
export interface ScriptCall extends Span {
  program: 'npm' | 'make';
  /** The script, or the targets; none for the first target. */
  names: string[];
  /** Where it is called below the folder that the command runs in, with a slash at its end; empty for that folder. */
  folder: string;
  /** It is called for a file, or a place, of which nothing is known. */
  isElsewhere: boolean;
}

/** Comes before a program in a command, with what it is given to. */
export const atCommand = String.raw`(?<=(?:^|[;&|(\n!{]|\b(?:then|do|else|if|while|until|time|exec|env|nice|timeout(?:\s+-\S+)*\s+\S+)\s|-c\s+["'])\s*(?:\w+=\S*\s+)*)`;

const option = String.raw`(?:\s+(?:(?:--prefix|-C|-w|--workspace|--cwd|--filter)\s+\S+|-\S+))*`;
const npmCall = new RegExp(
  `${atCommand}(npm|pnpm|yarn|bun)(${option})\\s+(?:(run|run-script)(${option})\\s+)?([\\w:./-]+)`,
  'g',
);
const makeCall = new RegExp(
  `${atCommand}g?make(?![\\w./-])((?:[ \\t]+(?!\\d*[<>])(?:[^\\s;&|()<>"'\`]|"[^"]*"|'[^']*')+)*)`,
  'g',
);

/** Characters of a command of which no more is looked at: it takes time that grows with the square of them. */
export const maxCommand = 4 * 1024;

const changesFolder = /(?:^|[;&(\n])[ \t]*cd\s+["']?([\w./-]+)/g;

/** The folders that a command changes to, with a slash at their end: each from the one before, and from where it begins. */
export function foldersOf(command: string): string[] {
  let folder = '';
  return [...command.matchAll(changesFolder)].flatMap(([, named = '']) => {
    folder = enter(folder, named);
    return [folder, enter('', named)];
  });
}

/** The first folder that a command changes to which begins in one, with a slash at its end; the latter if it changes to none. */
export function folderFrom(begin: string, command: string): string {
  const [first] = command.matchAll(changesFolder);
  return enter(begin, first?.[1] ?? '');
}

function enter(begin: string, named: string): string {
  const parts = begin.split('/').filter((part) => part !== '');
  for (const part of named.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.map((part) => `${part}/`).join('');
}

export function findScriptCalls(line: string): ScriptCall[] {
  const command = line.slice(0, maxCommand);
  return [...findNpmCalls(command), ...findMakeCalls(command)];
}

/** What the programs do themselves, without a script. */
const ownCommands =
  /^(install|i|ci|add|remove|update|upgrade|up|exec|x|dlx|why|list|ls|init|create|audit|link|pack|publish|config|cache|version|view|info)$/;

function findNpmCalls(command: string): ScriptCall[] {
  return [...command.matchAll(npmCall)].flatMap((call) => {
    const [whole, program = '', before = '', run, after = '', script = ''] = call;
    const name = script === 't' ? 'test' : script;
    const isScript = run
      ? !(program === 'bun' && /\.\w+$/.test(name))
      : program === 'npm'
        ? /^(test|start|stop|restart)$/.test(name)
        : program === 'bun'
          ? name === 'test'
          : !ownCommands.test(name);
    if (!isScript) return [];
    const options = before + after;
    const folder = folderIn(/\s(?:--prefix|-C|--cwd)[\s=]\s*(\S+)/.exec(options)?.[1]);
    const isElsewhere = folder === undefined || /\s(-w|--workspace|--filter)/.test(options);
    const place = { begin: call.index, end: call.index + whole.length };
    return [{ program: 'npm', names: [name], folder: folder ?? '', isElsewhere, ...place }];
  });
}

function findMakeCalls(command: string): ScriptCall[] {
  return [...command.matchAll(makeCall)].map((call) => {
    const [whole, words = ''] = call;
    const left = words.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? [];
    const names: string[] = [];
    const directory = /(?:^|\s)(?:-C\s*|--directory[\s=]\s*)(\S+)/.exec(words)?.[1];
    const folder = folderIn(directory);
    let isElsewhere = folder === undefined;
    while (left.length > 0) {
      const word = left.shift() ?? '';
      if (/^(-f|--(file|makefile))/.test(word)) isElsewhere = true;
      const hasValue = /^(-[CfoWI]|--(directory|file|makefile|include-dir|old-file|new-file))$/.test(word);
      if (hasValue || (/^-[jl]$/.test(word) && /^\d+$/.test(left[0] ?? ''))) left.shift();
      else if (!word.startsWith('-') && !word.includes('=')) names.push(word);
    }
    const place = { begin: call.index, end: call.index + whole.length };
    return { program: 'make', names, folder: folder ?? '', isElsewhere, ...place };
  });
}

/** A folder that an option names, with a slash at its end; undefined for one that is not below. */
function folderIn(named = '.'): string | undefined {
  const path = named.replace(/^\.\/|\/$/g, '');
  if (path === '' || path === '.') return '';
  return /^[\w-][\w./-]*$/.test(path) && !path.split('/').includes('..') ? `${path}/` : undefined;
}

/** What the name of a script or target says about it. */
export function meaningOf({ names }: Pick<ScriptCall, 'names'>): 'checks' | 'looks' | 'unknown' {
  const meanings = names.map((name) => {
    if (/lint|format|fmt|prettier|typ(e|ing)s?|tsc/i.test(name)) return 'looks';
    if (/test|spec|e2e|verif|valid|accept/i.test(name)) return 'checks';
    if (/(^|[:._/-])(build|compile|docs?|clean|install|deps|setup|start|serve|dev|watch|deploy|release)/i.test(name))
      return 'looks';
    return /check|(^|[:._/-])(ci|unit|integration|qa)([:._/-]|$)/i.test(name) ? 'checks' : 'unknown';
  });
  if (meanings.includes('checks')) return 'checks';
  return meanings.length > 0 && meanings.every((meaning) => meaning === 'looks') ? 'looks' : 'unknown';
}
