import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import { commandName } from '../../config/command-name.ts';
import { dataFolder } from '../../config/environment.ts';
import { packageRoot } from '../../config/package-root.ts';
import { addCommands } from './add-commands.ts';
import type { CommandContext, CommandLine } from './command-context.ts';
import { createCommandContext } from './create-command-context.ts';
import { describeError, reportFailure } from './describe-error.ts';
import { type ExitCode, exitCodeOf, exitCodes } from './exit-code.ts';
import { createInterrupt } from './interrupt.ts';
import { refuseHelpOfUnknown, refuseUnknownCommands } from './refuse-unknown-command.ts';

const afterHelp = (folder: string) => `
Name anything by its id, its name or the start of its id. Leave a project out if there is only one.

Exit codes: 0 done, 1 failed, 2 wrong usage, bad input or a refused request, 3 the project waits for a person, 130 interrupted.

Data folder: ${folder} (LONGHAUL_HOME moves it).
Settings come from the environment, and from .env and longhaul.config.ts in the data folder;
\`longhaul config\` lists them, \`longhaul init\` creates both files.`;

/** Runs one command line; returns the exit code for the process. */
export async function runCommandLine(parameters: string[], line: CommandLine): Promise<ExitCode> {
  let exitCode: ExitCode = exitCodes.done;
  const interrupt = createInterrupt();
  let context: CommandContext;
  try {
    context = createCommandContext(line, {
      interruptSignal: () => interrupt.signal(),
      setExitCode(code) {
        exitCode = code;
      },
    });
  } catch (error) {
    line.stderr.write(`${describeError(error)}\n`);
    return exitCodeOf(error);
  }
  const command = commandName(context.environment);
  const program = new Command(command)
    .description('Turns a goal into a finished, verified project.')
    .version(readVersion(), '-V, --version', 'print the version')
    .addHelpText('beforeAll', ({ command: group }) => {
      refuseHelpOfUnknown(group);
      return '';
    })
    .addHelpText('after', context.withCommandName(afterHelp(dataFolder(context.environment))))
    .showHelpAfterError(`(${command} --help lists the commands)`)
    .enablePositionalOptions() // otherwise commander suggests this program's own options for those of its commands
    .exitOverride()
    .configureOutput({ writeOut: (text) => line.stdout.write(text), writeErr: (text) => line.stderr.write(text) });
  addCommands(program, context);
  pointToHelp(program);
  refuseUnknownCommands(program);
  try {
    // So that it says the same of what it does not know.
    const [first, ...names] = parameters;
    await program.parseAsync(first === 'help' ? [...names, '--help'] : parameters, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.badInput;
    return reportFailure(context, interrupt, error);
  } finally {
    interrupt.release();
  }
  return exitCode;
}

/** What is wrong with the arguments of a command is explained by its own help. */
function pointToHelp(group: Command, path = group.name()): void {
  for (const command of group.commands) {
    const name = `${path} ${command.name()}`;
    command.showHelpAfterError(`(${name} --help shows its arguments and options)`);
    pointToHelp(command, name);
  }
}

function readVersion(): string {
  return (JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string }).version;
}
