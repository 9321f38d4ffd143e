/** Files with standing instructions for agents; of one folder the first that is there counts. */
export const instructionFiles = ['AGENTS.md', 'CLAUDE.md'] as const;

/** Whether a path names such a file. */
export function isInstructionFile(path: string): boolean {
  return instructionFiles.some((name) => name === fileOf(path));
}

/** The folders that have instructions of their own, from the outermost on; '' is the root. */
export function foldersWithInstructions(paths: readonly string[]): string[] {
  const files = paths.filter(isInstructionFile);
  const folders = [...new Set(files.map((path) => path.slice(0, -fileOf(path).length).replace(/\/$/, '')))];
  return folders.sort((one, other) => depthOf(one) - depthOf(other) || (one < other ? -1 : 1));
}

/** Those of the folders that a path is in or names, from the outermost on. */
export function foldersAround(folders: readonly string[], path: string): string[] {
  return folders.filter((folder) => folder === '' || path === folder || path.startsWith(`${folder}/`));
}

function fileOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function depthOf(folder: string): number {
  return folder === '' ? 0 : folder.split('/').length;
}
