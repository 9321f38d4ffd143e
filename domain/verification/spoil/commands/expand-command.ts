import { applyEdits } from '../source-text.ts';
import { runsCheck } from '../spoil-check.ts';
import { onlyLooks } from './only-looks.ts';
import { atCommand, findScriptCalls, folderFrom, maxCommand, meaningOf, type ScriptCall } from './script-calls.ts';

/** By path, the texts of the files that have scripts and targets. */
export type Scripts = Pick<ReadonlyMap<string, string>, 'get'>;

/** Scripts that call scripts that call scripts: of more, nothing is known. */
const maxNested = 4;

/** In the order in which make looks for them. */
const makefiles = ['GNUmakefile', 'makefile', 'Makefile'];

const shellScript = new RegExp(`${atCommand}(?:(?:ba|da)?sh\\s+(?:-\\w+\\s+)*)?(?:\\./)?([\\w./-]+)`, 'g');

/** The paths of what a command may run as scripts of the shell. */
function shellScriptsOf(line: string, folder: string): string[] {
  const command = line.slice(0, maxCommand);
  return [...command.matchAll(shellScript)].flatMap(([whole, path = '']) =>
    /^(?:ba|da)?sh\s|^\.\//.test(whole) && !/^\/|\.\./.test(path) ? folder + path : [],
  );
}

/**
 * What a script of the shell does itself, without what it says, installs or remarks; empty if it is none. Lines whose failure does not end it are separated
 * by semicolons.
 */
function linesOf(path: string, script: string): string {
  if (!/\.(?:sh|bash)$/.test(path) && !/^#!.*sh\b/.test(script)) return '';
  return script
    .split('\n')
    .filter((line) => !/^\s*(?:#|echo\b|printf\b)|\binstall\b/.test(line))
    .join(/^\s*set\s+-\w*e/m.test(script) ? '\n' : ';\n');
}

/**
 * What the commands of a feature run: the scripts and targets that they call, as far as they are known, in place of the calls. Where the name of a script
 * says that it checks, it may do so by another program, so that the call stays as well, unless its text only looks at files. A call of which nothing is
 * known is left out where each of the checks is run without it: it may build what they try.
 */
export function expandCommands(commands: string[], scripts: Scripts, checks: string[]): Map<string, string> {
  const expanded = commands.map((command) => expandCommand(command, scripts));
  const certain = expanded.map(withoutUnknown);
  const areAllRun = checks.every((path) => certain.some((command) => runsCheck(command, path)));
  return new Map(commands.map((command, index) => [command, (areAllRun ? certain : expanded)[index] ?? command]));
}

/** @param inside The folder that the command runs in, and the calls that it is expanded from. */
export function expandCommand(
  command: string,
  scripts: Scripts,
  inside: { folder: string; calls: readonly string[] } = { folder: '', calls: [] },
): string {
  const folder = folderFrom(inside.folder, command);
  const expand = (call: string, text: string, below = '') =>
    inside.calls.includes(call) || inside.calls.length >= maxNested
      ? text
      : expandCommand(text, scripts, { folder: folder + below, calls: [...inside.calls, call] });
  const appended: string[] = [];
  const edits = findScriptCalls(command).flatMap((call) => {
    const own = call.isElsewhere ? undefined : textOf(call, folder + call.folder, scripts);
    if (own === undefined) return [];
    const text = expand(`${call.program} ${call.folder} ${call.names.join(' ')}`, own, call.folder);
    const { begin, end } = call;
    if (meaningOf(call) !== 'checks' || onlyLooks(text)) return [{ begin, end, text }];
    appended.push(`${text} ${givenTo(command.slice(end))}`.trim());
    return [];
  });
  for (const path of shellScriptsOf(command, folder)) {
    const text = linesOf(path, scripts.get(path) ?? '');
    if (text.trim() !== '' && !onlyLooks(text)) appended.push(expand(path, text));
  }
  return [applyEdits(command, edits), ...appended].join('\n');
}

/** What npm hands on to a script. */
function givenTo(rest: string): string {
  return /^\s+--\s+([^;&|\n]*)/.exec(rest)?.[1] ?? '';
}

function withoutUnknown(command: string): string {
  const unknown = findScriptCalls(command).filter((call) => meaningOf(call) === 'unknown');
  return applyEdits(
    command,
    unknown.map(({ begin, end }) => ({ begin, end, text: ':' })),
  );
}

function textOf({ program, names }: ScriptCall, folder: string, scripts: Scripts): string | undefined {
  if (program === 'npm') return npmScript(scripts.get(`${folder}package.json`), names[0] ?? '');
  const makefile = makefiles.map((name) => scripts.get(folder + name)).find((content) => content !== undefined);
  return makefile === undefined ? undefined : makeRecipes(makefile, names);
}

/** A script, with those that npm runs before and after it. */
function npmScript(content: string | undefined, name: string): string | undefined {
  let parsed: { scripts?: Record<string, unknown> } | null;
  try {
    parsed = JSON.parse(content ?? '{}');
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  const scripts = parsed?.scripts ?? {};
  if (typeof scripts[name] !== 'string') return undefined;
  return [`pre${name}`, name, `post${name}`]
    .map((one) => scripts[one])
    .filter((text) => typeof text === 'string')
    .join('\n');
}

interface Rule {
  prerequisites: string[];
  recipe: string[];
}

/** Takes over what other files have. */
const includes = /^[ \t]*-?s?include[ \t]/m;

/** Whether a makefile has targets, or may have them from files that it includes. */
export function mayHaveTargets(makefile: string, targets: string[]): boolean {
  const rules = readRules(makefile);
  return includes.test(makefile) || targets.every((target) => rules.has(target));
}

/** The recipes of targets of a makefile, with those of what they need; undefined if it does not have a target, or not what the target runs. */
export function makeRecipes(makefile: string, targets: string[]): string | undefined {
  const rules = readRules(makefile);
  const [first] = [...rules.keys()].filter((target) => !target.startsWith('.') && !target.includes('%'));
  const left = targets.length > 0 ? [...targets] : [first ?? ''];
  if (!left.every((target) => rules.has(target))) return undefined;
  const seen = new Set<string>();
  const lines: string[] = [];
  while (left.length > 0) {
    const target = left.shift() ?? '';
    const rule = rules.get(target);
    if (seen.has(target) || target === '') continue;
    if (!rule && includes.test(makefile)) return undefined;
    if (!rule) continue;
    seen.add(target);
    left.push(...rule.prerequisites);
    lines.push(...rule.recipe);
  }
  return lines.length > 0 ? lines.join('\n') : undefined;
}

function readRules(makefile: string): Map<string, Rule> {
  const rules = new Map<string, Rule>();
  const variables = new Map([['MAKE', 'make']]);
  const fill = (text: string) =>
    text.replace(/\$[({](\w+)[)}]/g, (whole, name) => variables.get(name) ?? whole).replaceAll('$$', '$');
  let current: Rule[] = [];
  for (const line of makefile.replaceAll('\\\n', ' ').split('\n')) {
    const [, variable, value = ''] = /^(?:export\s+)?(\w+)\s*(?:[:?+]{0,2}=)\s*(.*)$/.exec(line) ?? [];
    const [, targets, prerequisites = '', inline] = /^([^\s#:=][^:=#]*)::?(?!=)([^;#]*)(?:;(.*))?/.exec(line) ?? [];
    if (line.startsWith('\t')) {
      for (const { recipe } of current) recipe.push(fill(line.trim()).replace(/^[@+-]+\s*/, ''));
    } else if (variable !== undefined) variables.set(variable, fill(value.trim()));
    else if (targets !== undefined) {
      current = fill(targets)
        .trim()
        .split(/\s+/)
        .map((target) => {
          const rule = rules.get(target) ?? { prerequisites: [], recipe: [] };
          rule.prerequisites.push(...fill(prerequisites).trim().split(/\s+/));
          if (inline) rule.recipe.push(fill(inline.trim()));
          rules.set(target, rule);
          return rule;
        });
    }
  }
  return rules;
}
