/** The folder for what a person gives a chat that works on a copy of a folder; it is no part of the copy. */
export const givenFolder = '.uploads';

/** The folder for figures that a chat's code left open; one that is wanted is saved under a name of its own. It is no part of the copy either. */
export const figuresFolder = '.figures';

/** Names that a copy of a folder leaves out, wherever they are: repositories, and what package managers install again. */
export const leftOut = ['.git', 'node_modules', '.venv', '__pycache__', givenFolder, figuresFolder] as const;

/** Whether a file is there to hold secrets, by its name; such files are not copied. Examples of them are. */
export function holdsSecrets(path: string): boolean {
  const name = path.split('/').at(-1) ?? '';
  return /^(\.env|\.env\.(?!example$|sample$|template$|dist$).*|\.netrc|\.pgpass|id_(rsa|dsa|ecdsa|ed25519))$/i.test(
    name,
  );
}

/** What may be on its way into or out of a chat's sandbox at once. */
export const maxTransfer = {
  /** Bytes of one file: 20 MiB. */
  fileBytes: 20 * 1024 ** 2,
  /** Bytes of a folder's files together: 100 MiB. */
  folderBytes: 100 * 1024 ** 2,
  /** Files of a folder. */
  files: 20_000,
} as const;

/** A file of a sandbox's workspace, by its path in it. */
export interface WorkspaceFile {
  path: string;
  executable: boolean;
  content: Uint8Array;
  /** Of a symbolic link, which has no content. */
  link?: string;
}

/** What a file of a workspace is, without its content. */
export type FileFacts = { hash: string; executable: boolean } | { link: string };

/** The files of a copy, by their paths. */
export type FolderFacts = Record<string, FileFacts>;

/** Whether a path leads to a file below a folder, as it is written: relative, without `..`, control characters and repositories. */
export function isPlainPath(path: string): boolean {
  if (path.length === 0 || path.length > 4_000 || /\p{Cc}/u.test(path) || path.includes('\uFFFD')) return false;
  return path.split('/').every((name) => name !== '' && name !== '.' && name !== '..' && !isRepositoryName(name));
}

/** Some disks fold the case and leave out characters that cannot be seen. */
function isRepositoryName(name: string): boolean {
  const folded = name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  return /^(\.git|git~\d+)[. ]*$/.test(folded);
}

/** What a request for files of a chat's sandbox asks for; contents travel beside it, in the database. */
export type TransferRequest =
  /** Writes the files that come with it. */
  | { kind: 'put' }
  | { kind: 'get'; paths: string[] }
  /** Lists a folder. */
  | { kind: 'list'; path: string }
  /** Replaces the workspace by the files that come with it, as the copy of this id. */
  | { kind: 'copy'; copy: string }
  /** What the files of the copy are now. */
  | { kind: 'look' };

/** An entry of a listed folder. */
export interface ListedFile {
  type: 'file' | 'folder' | 'link' | 'not-listed';
  path: string;
  size: number;
}

/** What is stored of a finished request. */
export interface TransferResult {
  entries?: ListedFile[];
  /** There are more entries than are listed. */
  more?: boolean;
  /** The copy that the workspace holds; null if it holds none. */
  copy?: string | null;
  files?: FolderFacts;
}

/** What the update `files` of a chat takes. */
export interface FilesRequest {
  /** Of a stored request. */
  id: string;
}
