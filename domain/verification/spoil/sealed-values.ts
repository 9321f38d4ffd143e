import type { SealedCheck } from '../../project/settings.ts';
import { expandCommands } from './commands/expand-command.ts';
import { onlyLooks } from './commands/only-looks.ts';
import { spoilCommand } from './commands/spoil-command.ts';
import { drawsOf } from './draw.ts';
import { runsCheck, spoilCheck } from './spoil-check.ts';

/** What is changed is drawn: a check that has a value shows it in one of so many draws. */
const draws = Array.from({ length: 8 }, (_, seed) => seed);

/**
 * Sealed checks that compare with no value that can be changed: spoiled, they are only made to fail. Work that reads such a check where it lies, and
 * answers what stands there, passes. Of a check in a language that is not known nothing is said.
 */
export function findSealedWithoutValues(sealed: SealedCheck[]): SealedCheck[] {
  return sealed.filter(({ command, files }) => {
    const scripts = new Map(files.map(({ path, content }) => [path, content]));
    const runs = expandCommands([command], scripts, [...scripts.keys()]).get(command) ?? command;
    const checks = files.filter(({ path }) => runsCheck(runs, path));
    const spoiled = draws
      .map(drawsOf)
      .flatMap((draw) => [
        ...checks.map(({ path, content }) => [content, spoilCheck(path, content, { command: runs, draw })?.content]),
        [command, spoilCommand(command, draw)],
      ]);
    const isKnown = checks.length > 0 || (files.length === 0 && !onlyLooks(command));
    return isKnown && !spoiled.some(([check = '', other]) => other && asksForOther(check, other));
  });
}

/** Whether a spoiled check differs from the check in what stands in a line, and not in the line's form: so it asks for another value. */
function asksForOther(check: string, spoiled: string): boolean {
  const [before, after] = [linesOf(check), linesOf(spoiled)];
  const forms = new Set([...before].filter((line) => !after.has(line)).map(formOf));
  return [...after].some((line) => !before.has(line) && forms.has(formOf(line)));
}

/** The lines of a text, whatever they exit with. */
function linesOf(text: string): Set<string> {
  return new Set(text.split('\n').map((line) => line.replace(/\bexit\b[ \t]*\d*/g, 'exit')));
}

/** A line without its words and numbers. */
function formOf(line: string): string {
  return line.replace(/[\p{L}\p{N}_]/gu, '');
}
