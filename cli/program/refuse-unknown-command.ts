import { Command } from 'commander';

/** Help for a command that does not exist is the error for that command, not the help of its group. */
export function refuseHelpOfUnknown(group: Command): void {
  const name = group.args.find((argument) => argument !== 'help' && !argument.startsWith('-'));
  if (name !== undefined && takesOnlyCommands(group) && !has(group, name)) refuse(group, name);
}

/** A group that does something by itself would only count the arguments: makes it name what it does not know, as other groups do. */
export function refuseUnknownCommands(group: Command): void {
  for (const command of group.commands) refuseUnknownCommands(command);
  if (!takesOnlyCommands(group)) return;
  group.allowExcessArguments();
  group.hook('preAction', (_, acting) => {
    const [name] = group.args;
    if (acting === group && name !== undefined) refuse(group, name);
  });
  // What a default command is given may be meant for the group.
  group.hook('preSubcommand', () => {
    const [name] = group.args;
    if (name !== undefined && !name.startsWith('-') && name !== 'help' && !has(group, name)) refuse(group, name);
  });
}

function takesOnlyCommands(group: Command): boolean {
  return group.commands.length > 0 && group.registeredArguments.length === 0;
}

function has(group: Command, name: string): boolean {
  return group.commands.some((command) => [command.name(), ...command.aliases()].includes(name));
}

/** The error that a group without an action of its own reports, with the nearest names. */
function refuse(group: Command, name: string): void {
  const names = new Command(group.name()).copyInheritedSettings(group);
  for (const command of group.commands) names.command(command.name());
  names.parse([name], { from: 'user' });
}
