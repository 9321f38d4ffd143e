import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CommandRule, type ScriptedCommand, ScriptedSandboxes } from '../../../testing/index.ts';

/**
 * Sandboxes for the projects of `scripts.ts`: they answer the set-up script, the git tools, `true`, `echo <word>`, `grep -qx <line> <file>`, and `sleep`
 * alone or before one of these; `rules` come first.
 */
export function textFileSandboxes(rules: CommandRule[] = []): ScriptedSandboxes {
  return new ScriptedSandboxes([
    ...rules,
    { match: './init.sh', result: {} },
    { match: 'git --no-pager log', result: { output: '1234567 2026-01-01 The plan\n' } },
    { match: 'git --no-pager diff', result: {} },
    { match: /^(sleep \d+|(sleep \d+; )?(true|echo \w+|grep -qx \S+ \S+))$/, result: answerCheck },
  ]);
}

/** Answers `grep -qx <line> <file>` at the end of a script with the file that is there, `echo <word>` with the word, anything else with success. */
export async function answerCheck({ script, workspace, cancel }: ScriptedCommand) {
  const [, seconds] = script.match(/^sleep (\d+)/) ?? [];
  if (seconds) await sleep(Number(seconds) * 1_000, undefined, { signal: cancel }).catch(() => {});
  const [, line, file = ''] = script.match(/grep -qx (\S+) (\S+)$/) ?? [];
  const [, word] = script.match(/echo (\w+)$/) ?? [];
  if (line === undefined) return { exitCode: 0, output: word === undefined ? '' : `${word}\n` };
  const text = await readFile(join(workspace, file), 'utf8').catch(() => '');
  return { exitCode: text.split('\n').includes(line) ? 0 : 1 };
}
