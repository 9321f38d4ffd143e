type Environment = Record<string, string | undefined>;

/** How a person calls `longhaul` here: npm puts it on the PATH only of what npm itself starts. */
export function commandName(environment: Environment): string {
  return environment.npm_command === undefined ? 'longhaul' : 'npx longhaul';
}

/** The text with each `longhaul` command between backticks written as a person calls it here. */
export function withCommandName(text: string, environment: Environment): string {
  return text.replaceAll(/(?<=`|&& )longhaul(?= )/g, commandName(environment));
}
