import { readAsset } from '../../read-asset.ts';

const state = 'commands/state';
const ofCommand = [state, 'commands/process-tree', 'commands/record'];
const path = 'files/workspace-path';

/** The bash programs that the harness runs inside a sandbox: the files of `scripts/` that each consists of. */
const programs = {
  run: [...ofCommand, 'commands/run'],
  cancel: [...ofCommand, 'commands/cancel'],
  'read-log': [state, 'commands/read-log'],
  'prepare-workspace': [state, 'workspace/prepare-workspace'],
  'check-out': [state, 'workspace/check-out'],
  'reset-workspace': [state, 'workspace/reset-workspace'],
  'loaded-commit': [state, 'workspace/loaded-commit'],
  'remove-repository': [state, 'workspace/remove-repository'],
  'repair-repository': [state, 'workspace/repair-repository'],
  snapshot: [state, 'workspace/snapshot'],
  'place-files': [state, 'workspace/place-files'],
  'take-files': [state, 'workspace/take-files'],
  'look-at-files': [state, 'workspace/look-at-files'],
  'measure-disk': ['quota/measure-disk'],
  'read-file': [path, 'files/read-file'],
  'read-whole-file': [path, 'files/read-whole-file'],
  'write-file': [path, 'files/put-file', 'files/write-file'],
  'replace-file': [path, 'files/put-file', 'files/replace-file'],
  'list-files': [path, 'files/list-files'],
  'search-files': [path, 'files/search-files'],
} satisfies Record<string, string[]>;

export type ScriptName = keyof typeof programs;

/** The text of a program. */
export function readScript(name: ScriptName): string {
  return programs[name].map((part) => readAsset(`docker/scripts/${part}.sh`).replace(/^\s*#.*\n/gm, '')).join('\n');
}
