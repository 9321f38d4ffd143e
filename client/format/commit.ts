/** The start of a commit's id, abbreviated as in `git log`. */
export function shortCommit(commit: string): string {
  return commit.slice(0, 8);
}

/** A checkpoint's id within its project: `c3`. */
export function shortCheckpoint(id: string): string {
  return id.slice(id.lastIndexOf('/') + 1);
}
