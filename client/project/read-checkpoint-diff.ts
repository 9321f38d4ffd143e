import type { Queryable } from '../../db/connection/database.ts';
import { readCheckpoints } from '../../db/project/checkpoints.ts';
import { readLineageRanges } from '../../db/project/lineage.ts';
import type { Checkpoint } from '../../domain/project/checkpoint.ts';
import type { ChangedFile, ProjectRepository } from '../../git/repository/project-repository.ts';

export interface CheckpointDiff {
  checkpoint: Checkpoint;
  /** The checkpoint before it; null for the first one. */
  previous: Checkpoint | null;
  files: ChangedFile[];
  /** The output of `git diff`. */
  text: string;
}

/** What a checkpoint changed compared to the one before it in its own lineage. */
export async function readCheckpointDiff(
  query: Queryable,
  repository: ProjectRepository,
  { checkpoint, stat }: { checkpoint: Checkpoint; stat: boolean },
): Promise<CheckpointDiff> {
  const ranges = await readLineageRanges(query, checkpoint.lineageId);
  const all = await readCheckpoints(query, checkpoint.projectId, { all: true });
  const previous = all.findLast(
    (one) =>
      one.sequence < checkpoint.sequence &&
      ranges.some((range) => range.lineageId === one.lineageId && one.sequence <= range.upToSequence),
  );
  // The first checkpoint is compared with what the project started from: its commit's parent, or nothing.
  const from =
    previous?.commit ?? (await repository.resolve(`${checkpoint.commit}^`)) ?? (await emptyCommit(repository));
  return {
    checkpoint,
    previous: previous ?? null,
    files: await repository.changedFiles(from, checkpoint.commit),
    text: await repository.diff(from, checkpoint.commit, { stat }),
  };
}

/** A commit without files, not referenced by any ref. */
async function emptyCommit(repository: ProjectRepository): Promise<string> {
  const tree = await repository.writeTree([]);
  return repository.commit({ tree, parents: [], message: 'Nothing', trailers: {} });
}
