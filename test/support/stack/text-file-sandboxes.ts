import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CommandRule, type ScriptedCommand, ScriptedSandboxes } from '../../../testing/index.ts';

/** Sandboxes for the projects of `scripts.ts`: they answer `true`, `grep -qx <line> <file>`, and a wait before one of them; `rules` come first. */
export function textFileSandboxes(rules: CommandRule[] = []): ScriptedSandboxes {
  return new ScriptedSandboxes([...rules, { match: /^(sleep \d+; )?(true|grep -qx \S+ \S+)$/, result: answer }]);
}

async function answer({ script, workspace, cancel }: ScriptedCommand) {
  const [, seconds] = script.match(/^sleep (\d+)/) ?? [];
  if (seconds) await sleep(Number(seconds) * 1_000, undefined, { signal: cancel }).catch(() => {});
  const [, line, file = ''] = script.match(/grep -qx (\S+) (\S+)$/) ?? [];
  if (line === undefined) return {};
  const text = await readFile(join(workspace, file), 'utf8').catch(() => '');
  return { exitCode: text.split('\n').includes(line) ? 0 : 1 };
}
