import type { ProjectRepository } from '../../git/repository/project-repository.ts';

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

/** Texts by path, as those of a folder that a chat works on a copy of. */
export function sourceOfTexts(texts: Readonly<Record<string, string>>): InstructionSource {
  return { list: async () => Object.keys(texts), read: async (path) => texts[path] };
}
