import { readAsset } from '../../read-asset.ts';

/** The bash programs that the harness runs inside a sandbox. */
export type ScriptName =
  | 'run'
  | 'cancel'
  | 'read-log'
  | 'prepare-workspace'
  | 'check-out'
  | 'reset-workspace'
  | 'loaded-commit'
  | 'remove-repository'
  | 'repair-repository'
  | 'snapshot'
  | 'read-file'
  | 'read-whole-file'
  | 'write-file'
  | 'replace-file'
  | 'list-files'
  | 'search-files';

/** Library scripts to prepend to a program; just `state` if it is not listed. */
const libraries: Partial<Record<ScriptName, string[]>> = {
  run: ['state', 'process-tree', 'record'],
  cancel: ['state', 'process-tree', 'record'],
  'read-file': ['workspace-path'],
  'read-whole-file': ['workspace-path'],
  'write-file': ['workspace-path', 'put-file'],
  'replace-file': ['workspace-path', 'put-file'],
  'list-files': ['workspace-path'],
  'search-files': ['workspace-path'],
};

/** Returns the text of a program with its libraries. */
export function readScript(name: ScriptName): string {
  const parts = [...(libraries[name] ?? ['state']), name];
  return parts.map((part) => readAsset(`docker/scripts/${part}.sh`).replace(/^\s*#.*\n/gm, '')).join('\n');
}
