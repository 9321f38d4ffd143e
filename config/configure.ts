import { ConfigurationError } from '../domain/configuration-error.ts';
import { describeIssue } from '../domain/describe-issue.ts';
import { configSchema } from './config-schema.ts';
import type { LonghaulConfig } from './define-config.ts';
import { absolute, definedOnly } from './environment.ts';

/** They belong to the process, as its environment does. */
let ofProcess: LonghaulConfig | undefined;

/**
 * Sets, for this process, what a settings file may set: before `connectLonghaul` and in place of an earlier call. Each field takes precedence over
 * the file's, and variables take precedence over both. Paths count from the current folder.
 * @throws {ConfigurationError} naming each invalid setting, what was expected and what came.
 */
export function configure(settings: LonghaulConfig): void {
  const parsed = configSchema.safeParse(settings);
  if (!parsed.success) {
    const complaints = parsed.error.issues.map((issue) => `  ${describeIssue(issue, settings, placeOf(issue))}`);
    throw new ConfigurationError(`configure() was given invalid settings.\n${complaints.join('\n')}`);
  }
  const { prompts, projectRoots, sandbox, ...others } = parsed.data;
  const here = (path: string) => absolute(path, process.cwd());
  ofProcess = definedOnly({
    ...others,
    prompts: prompts && here(prompts),
    projectRoots: projectRoots?.map(here),
    sandbox: sandbox && { ...sandbox, ...(sandbox.seccomp && { seccomp: here(sandbox.seccomp) }) },
  }) as LonghaulConfig;
}

/** Without a path the issue is about all settings, which are no file here. */
function placeOf(issue: { path: PropertyKey[] }): string | undefined {
  return issue.path.length === 0 ? 'the settings' : undefined;
}

/** What `configure` was last given; undefined if it was not called. */
export function configured(): LonghaulConfig | undefined {
  return ofProcess;
}
