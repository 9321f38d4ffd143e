import { LonghaulError } from '../../domain/longhaul-error.ts';
import type { CommandRequest, CommandResult } from '../../sandbox/sandbox.ts';

/** A command that a sandbox was asked to run. */
export interface ScriptedCommand extends Omit<CommandRequest, 'detach'> {
  /** The sandbox's name. */
  sandbox: string;
  /** The folder on this machine that stands for `/workspace`. */
  workspace: string;
  /** Aborted when the command is cancelled, times out, or is interrupted. */
  cancel: AbortSignal;
}

/** What a command prints and how it ends; it exits with 0 unless told otherwise. */
export interface ScriptedResult {
  output?: string;
  exitCode?: number;
  outcome?: CommandResult['outcome'];
  durationMs?: number;
}

/** Answers the commands whose script contains `match` (text) or fits it (pattern or function). */
export interface CommandRule {
  match: string | RegExp | ((command: ScriptedCommand) => boolean);
  /** A function may change the workspace as the command would; one that never ends runs until it is cancelled or times out. */
  result: ScriptedResult | ((command: ScriptedCommand) => ScriptedResult | Promise<ScriptedResult>);
  /** How many commands it answers; without limit if absent. */
  times?: number;
}

/** Answers a command; undefined where it has no answer. */
export type CommandAnswerer = (command: ScriptedCommand) => ScriptedResult | Promise<ScriptedResult> | undefined;

/** Rules, of which the first match answers, or a function. */
export type CommandScript = CommandRule[] | CommandAnswerer;

/** The script of a scripted sandbox has no answer for a command. */
export class UnscriptedCommandError extends LonghaulError<'UnscriptedCommand'> {
  constructor({ sandbox, id, script }: ScriptedCommand) {
    super(
      `The script of the sandboxes has no answer for the command ${id} in sandbox ${sandbox}: ${JSON.stringify(script)}. Add a rule that matches it.`,
      { code: 'UnscriptedCommand', kind: 'defect' },
    );
  }
}

/** Turns a script into a function that counts down the `times` of its rules. */
export function toAnswerer(script: CommandScript): CommandAnswerer {
  if (typeof script === 'function') return script;
  const left = script.map(({ times = Number.POSITIVE_INFINITY }) => times);
  return (command) => {
    const index = script.findIndex((rule, position) => (left[position] ?? 0) > 0 && matches(rule, command));
    const rule = script[index];
    if (!rule) return undefined;
    left[index] = (left[index] ?? 0) - 1;
    return typeof rule.result === 'function' ? rule.result(command) : rule.result;
  };
}

function matches({ match }: CommandRule, command: ScriptedCommand): boolean {
  if (typeof match === 'function') return match(command);
  return typeof match === 'string' ? command.script.includes(match) : match.test(command.script);
}
