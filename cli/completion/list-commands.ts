import type { Command } from 'commander';

/** A command, and what may follow it. */
export interface KnownCommand {
  /** Its name behind those of its groups: `/chats/show`; empty for the program. */
  path: string;
  words: Array<{ word: string; description: string }>;
}

/** The program and all its commands that help shows. */
export function listCommands(program: Command, path = ''): KnownCommand[] {
  const help = program.createHelp();
  const commands = help.visibleCommands(program);
  const words = [
    ...commands.map((command) => ({ word: command.name(), description: command.description() })),
    ...help.visibleOptions(program).flatMap(({ long, description }) => (long ? [{ word: long, description }] : [])),
  ];
  const deeper = commands.filter((command) => command.name() !== 'help');
  return [{ path, words }, ...deeper.flatMap((command) => listCommands(command, `${path}/${command.name()}`))];
}
