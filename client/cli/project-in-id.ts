/** The project that a checkpoint's full id (`<project>/c3`) names; undefined where it is a short one or a commit. */
export function projectInCheckpointId(id: string): string | undefined {
  return id.includes('/') ? id.slice(0, id.lastIndexOf('/')) : undefined;
}

/** The project that a run's full id (`<project>-init`, `<project>-s3-work`) names; undefined where it is a short one. */
export function projectInRunId(id: string): string | undefined {
  return /^(.+)-(?:init|s\d+(?:-.+)?)$/.exec(id)?.[1];
}
