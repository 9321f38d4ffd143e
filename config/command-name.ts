/** How `longhaul` is called here: npm puts it on the PATH only of what npm itself starts. */
export function commandName(environment: Record<string, string | undefined>): string {
  return environment.npm_command === undefined ? 'longhaul' : 'npx longhaul';
}
