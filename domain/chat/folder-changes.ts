import type { FileFacts, FolderFacts } from './files.ts';

/** One difference between a copy as it was made and as it is now. */
export interface FolderChange {
  path: string;
  kind: 'added' | 'changed' | 'deleted';
  /** Undefined if it was added. */
  before: FileFacts | undefined;
  /** Undefined if it was deleted. */
  after: FileFacts | undefined;
}

/** How a copy differs from its base, by path. A link that was added or changed is no change: links are never written. */
export function compareFolder(base: FolderFacts, now: FolderFacts): FolderChange[] {
  const paths = [...new Set([...Object.keys(base), ...Object.keys(now)])].sort();
  return paths.flatMap((path): FolderChange[] => {
    const [before, after] = [factsOf(base, path), factsOf(now, path)];
    if (after !== undefined && 'link' in after) return [];
    if (before === undefined) return [{ path, kind: 'added', before, after }];
    if (after === undefined) return [{ path, kind: 'deleted', before, after }];
    return isSame(before, after) ? [] : [{ path, kind: 'changed', before, after }];
  });
}

export function isSame(one: FileFacts | undefined, other: FileFacts | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  if ('link' in one || 'link' in other) return 'link' in one && 'link' in other && one.link === other.link;
  return one.hash === other.hash && one.executable === other.executable;
}

/** A file may be called `constructor`. */
function factsOf(files: FolderFacts, path: string): FileFacts | undefined {
  return Object.hasOwn(files, path) ? files[path] : undefined;
}
