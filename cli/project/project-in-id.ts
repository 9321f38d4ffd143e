/** The project in a checkpoint's full id (`<project>/c3`); undefined for a short id or a commit. */
export function projectInCheckpointId(id: string): string | undefined {
  return id.includes('/') ? id.slice(0, id.lastIndexOf('/')) : undefined;
}

/** The project in a run's full id (`<project>-init`, `<project>-s3-work`); undefined for a short id. */
export function projectInRunId(id: string): string | undefined {
  return /^(.+)-(?:init|s\d+(?:-.+)?)$/.exec(id)?.[1];
}
