import type { Span } from '../source-text.ts';

/** A call in a command of a script of `package.json`, or of targets of a makefile. */
export interface ScriptCall extends Span {
  program: 'npm' | 'make';
  /** The script, or the targets; none for the first target. */
  names: string[];
  /** It is called for another folder or file than where the command runs. */
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

/** The folder that a command changes to, with a slash at its end; empty if it changes to none. */
export function folderOf(command: string): string {
  const [, folder] = /(?:^|[;&(\n])[ \t]*cd\s+(?:\.\/)?([\w./-]*\w)/.exec(command) ?? [];
  return folder ? `${folder}/` : '';
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
    const isElsewhere = /\s(--prefix|-C|-w|--workspace|--cwd|--filter)/.test(before + after);
    return [{ program: 'npm', names: [name], isElsewhere, begin: call.index, end: call.index + whole.length }];
  });
}

function findMakeCalls(command: string): ScriptCall[] {
  return [...command.matchAll(makeCall)].map((call) => {
    const [whole, words = ''] = call;
    const left = words.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? [];
    const names: string[] = [];
    let isElsewhere = false;
    while (left.length > 0) {
      const word = left.shift() ?? '';
      if (/^(-[Cf]|--(directory|file|makefile))/.test(word)) isElsewhere = true;
      const hasValue = /^(-[CfoWI]|--(directory|file|makefile|include-dir|old-file|new-file))$/.test(word);
      if (hasValue || (/^-[jl]$/.test(word) && /^\d+$/.test(left[0] ?? ''))) left.shift();
      else if (!word.startsWith('-') && !word.includes('=')) names.push(word);
    }
    return { program: 'make', names, isElsewhere, begin: call.index, end: call.index + whole.length };
  });
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
