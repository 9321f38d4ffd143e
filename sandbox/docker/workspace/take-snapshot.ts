import { nestedRepositories, SandboxError } from '../../errors.ts';
import { maxSnapshotBytes } from '../../limits.ts';
import type { SandboxContainer } from '../commands/run-command.ts';
import { runScript } from '../commands/run-script.ts';

/**
 * Records the workspace's files as one commit on `base`. The same files give the same commit.
 * @throws {SandboxError} RepositoryDamaged if `.git` lacks what the base needs; {SandboxError} NestedRepository if there are repositories among the files;
 * {SandboxError} WorkspaceUnreadable; {SandboxError} SnapshotTooLarge; {SandboxError} DiskFull.
 */
export async function takeSnapshot(
  sandbox: SandboxContainer,
  base: string,
): Promise<{ bundle: Buffer; commit: string }> {
  const answer = await runScript(sandbox, 'snapshot', base, String(maxSnapshotBytes));
  const end = answer.indexOf(0x0a);
  const [word, commit, bytes] = answer.subarray(0, end).toString('utf8').split(' ');
  const rest = answer.subarray(end + 1);
  if (word === 'snapshot' && commit !== undefined && rest.length === Number(bytes)) return { bundle: rest, commit };
  throw toError(sandbox.name, word ?? '', rest.toString('utf8').trim());
}

function toError(name: string, word: string, said: string): Error {
  if (word === 'damaged') {
    return new SandboxError(
      'RepositoryDamaged',
      `The repository in the workspace of sandbox ${name} is damaged: ${said} Repair it with repairRepository, then take the snapshot again.`,
    );
  }
  if (word === 'nested') return nestedRepositories(said.split('\n'));
  if (word === 'unreadable')
    return new SandboxError(
      'WorkspaceUnreadable',
      `Expected readable files in the workspace, found unreadable ones: ${said.split('\n').filter(Boolean).join(', ')}. Make them readable with chmod u+rwX, remove them, or list them in .gitignore.`,
    );
  if (word === 'too-large') {
    return new SandboxError(
      'SnapshotTooLarge',
      `Expected the work in sandbox ${name} to pack to at most ${maxSnapshotBytes} bytes, got ${said}. Remove large files, or list them in .gitignore.`,
    );
  }
  if (word === 'full')
    return new SandboxError(
      'DiskFull',
      `The disk under sandbox ${name} is full: ${said} Free space on the container host.`,
    );
  return new SandboxError(
    'HarnessFailed',
    `Could not take a snapshot in sandbox ${name}: ${said || word || 'no answer'}`,
  );
}
