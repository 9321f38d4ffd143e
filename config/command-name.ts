type Environment = Record<string, string | undefined>;

/** How `longhaul` is called here: npm puts it on the PATH only of what npm itself starts. */
export function commandName(environment: Environment): string {
  return environment.npm_command === undefined ? 'longhaul' : 'npx longhaul';
}

/** The text with each `longhaul` command between backticks written as it is called here: whoever wrote it cannot know who reads it. */
export function withCommandName(text: string, environment: Environment): string {
  return text.replaceAll(/(?<=`|&& )longhaul(?= )/g, commandName(environment));
}
