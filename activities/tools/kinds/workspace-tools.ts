import { killedExitCode } from '../../../sandbox/code/execute-code.ts';
import { editFile } from '../../../sandbox/files/edit-file.ts';
import { listFiles } from '../../../sandbox/files/list-files.ts';
import { readFile } from '../../../sandbox/files/read-file.ts';
import { searchFiles } from '../../../sandbox/files/search-files.ts';
import { writeFile } from '../../../sandbox/files/write-file.ts';
import type { CommandResult, Sandbox } from '../../../sandbox/sandbox.ts';
import type { Dependencies } from '../../dependencies.ts';
import { createInSandbox } from '../in-sandbox.ts';
import { ranOutOfMemory } from '../out-of-memory.ts';
import { createRulesOf, refuseByRule } from '../permit-call.ts';
import { showingOutput } from '../show-output.ts';
import type { ToolContext, ToolResult, Tools } from '../tool.ts';

type WorkspaceToolName =
  | 'list_files'
  | 'read_file'
  | 'search_files'
  | 'write_file'
  | 'edit_file'
  | 'run_command'
  | 'git_diff'
  | 'git_log';

const defaultTimeoutSeconds = 120;

/** Tools that work in the run's sandbox; each runs under the tool call's id, so that a retry does nothing twice. */
export function createWorkspaceTools(dependencies: Dependencies): Pick<Tools, WorkspaceToolName> {
  const inSandbox = createInSandbox(dependencies);
  const rulesOf = createRulesOf(dependencies);
  return {
    list_files: (input, context) =>
      inSandbox(context, (sandbox) => listFiles(sandbox.files, { id: context.id, ...input }).then(asResult)),
    read_file: (input, context) =>
      inSandbox(context, (sandbox) => readFile(sandbox.files, { id: context.id, ...input }).then(asResult)),
    search_files: (input, context) =>
      inSandbox(context, async (sandbox) => {
        const rules = await rulesOf(context.run);
        // The path is judged before; the files below it are not.
        const mayRead = (path: string) => refuseByRule(rules, { kind: 'Read', subject: path }) === undefined;
        return asResult(await searchFiles(sandbox.files, { id: context.id, ...input, mayRead }));
      }),
    write_file: (input, context) =>
      inSandbox(context, (sandbox) => writeFile(sandbox.files, { id: context.id, ...input }).then(asResult)),
    edit_file: (input, context) =>
      inSandbox(context, (sandbox) =>
        editFile(sandbox.files, {
          id: context.id,
          path: input.path,
          oldText: input.old_text,
          newText: input.new_text,
          replaceAll: input.replace_all ?? false,
        }).then(asResult),
      ),
    run_command: (input, context) =>
      inSandbox(context, async (sandbox) => {
        const timeoutSeconds = input.timeout_seconds ?? defaultTimeoutSeconds;
        const result = await showingOutput(dependencies, sandbox, context, () =>
          run(sandbox, context, input.command, { timeoutSeconds }),
        );
        const text = formatCommand(result, timeoutSeconds);
        const { truncated, totalBytes } = result.output;
        return {
          text,
          failed: result.outcome !== 'exited' || result.exitCode !== 0,
          display: displayOf(result),
          ...(truncated && { outputBytes: totalBytes }),
        };
      }),
    git_diff: (input, context) =>
      inSandbox(context, async (sandbox) => {
        const base = (await sandbox.loadedCommit()) ?? 'HEAD';
        const environment = { BASE: base, ONLY: input.path ?? '.' };
        const result = await run(sandbox, context, diffScript, { environment });
        return { text: result.output.text || 'No changes.', failed: result.exitCode !== 0 };
      }),
    git_log: (input, context) =>
      inSandbox(context, async (sandbox) => {
        const environment = { LIMIT: String(input.limit ?? 10) };
        const result = await run(sandbox, context, logScript, { environment });
        return { text: result.output.text || 'No commits yet.', failed: result.exitCode !== 0 };
      }),
  };
}

// A temporary index leaves the agent's own staging unchanged; adding all files to it shows new ones too.
const diffScript = `export GIT_INDEX_FILE=/tmp/longhaul-diff-index-$$
trap 'rm -f "$GIT_INDEX_FILE"' EXIT
git read-tree "$BASE" && git add -A && git --no-pager diff --cached --no-ext-diff --no-textconv "$BASE" -- "$ONLY"`;

const logScript = `git --no-pager log -n "$LIMIT" --date=short --format='%h %ad %s'`;

async function run(
  sandbox: Sandbox,
  context: ToolContext,
  script: string,
  options: { timeoutSeconds?: number; environment?: Record<string, string> },
): Promise<CommandResult> {
  return sandbox.run({
    id: context.id,
    script,
    timeoutMs: (options.timeoutSeconds ?? defaultTimeoutSeconds) * 1000,
    cancel: context.cancel,
    detach: context.detach,
    ...(options.environment && { environment: options.environment }),
  });
}

function asResult(text: string): ToolResult {
  return { text };
}

function displayOf(result: CommandResult): string {
  const how = result.outcome === 'exited' ? `exit ${result.exitCode}` : result.outcome;
  return `${how}, ${(result.durationMs / 1000).toFixed(1)} s`;
}

/** Renders a command's result for the model: the output, then how it ended. */
function formatCommand(result: CommandResult, timeoutSeconds: number): string {
  const output = result.output.text.trimEnd();
  return `${output ? `${output}\n` : ''}[${endOf(result, timeoutSeconds)}]`;
}

function endOf(result: CommandResult, timeoutSeconds: number): string {
  switch (result.outcome) {
    case 'exited':
      return `exit code ${result.exitCode}${result.exitCode === killedExitCode ? `: it was killed; most likely it ${ranOutOfMemory}` : ''}`;
    case 'timed-out':
      return `stopped with all its processes after its timeout of ${timeoutSeconds} s; use & for servers and a longer timeout_seconds for long work`;
    case 'cancelled':
      return 'stopped by a person; run it again if you still need it';
    case 'interrupted':
      return 'interrupted: the sandbox stopped while it ran. Background processes are gone, files are kept. Run it again if you still need it';
  }
}
