import type { ProjectRepository } from '../../git/repository/project-repository.ts';
import { isSandboxError } from '../../sandbox/errors.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';

/** Where standing instructions and skills are read from. */
export interface InstructionSource {
  /** Paths of files, relative to the workspace. */
  list(): Promise<string[]>;
  /** Undefined if there is no such file, or it cannot be read. */
  read(path: string): Promise<string | undefined>;
}

/** The files of a commit: what a session does to them counts for others once it has landed. */
export function sourceOfCommit(repository: ProjectRepository, commit: string): InstructionSource {
  return { list: () => repository.listFiles(commit), read: (path) => repository.readText(commit, path) };
}

/** The files in a sandbox's workspace as they are now, without those that git ignores; `id` names the purpose as a tool call's id does. */
export function sourceOfSandbox(sandbox: Sandbox, id: string): InstructionSource {
  return {
    async list() {
      const { output } = await sandbox.run({ id: `${id}.list`, script: listScript, timeoutMs: 30_000 });
      return output.text.split('\n').filter(Boolean);
    },
    async read(path) {
      const call = `${id}.read.${Buffer.from(path).toString('hex').slice(0, 100)}`;
      try {
        return (await sandbox.files.read({ id: call, path, maxBytes: mostBytes })).toString();
      } catch (error) {
        if (isSandboxError(error, 'FileRefused')) return undefined;
        throw error;
      }
    },
  };
}

const mostBytes = 256 * 1024;

/** Lists only what may matter, since the output of a command is cut. */
const listScript = `{ git ls-files --cached --others --exclude-standard 2>/dev/null || find . -type f | sed 's|^\\./||'; } |
  grep -E '(^|/)(AGENTS\\.md|CLAUDE\\.md)$|^\\.(agents|claude)/skills/' | sort -u | head -n 500; true`;
