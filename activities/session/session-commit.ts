import type { Database } from '../../db/connection/database.ts';
import { readFeatures } from '../../db/features/features.ts';
import type { SessionRow } from '../../db/project/sessions.ts';
import { readEvidenceHead } from '../../db/project/verifications.ts';
import { findRun } from '../../db/transcript/transcript.ts';
import { preview } from '../../domain/storable-text.ts';
import { isGitError } from '../../git/errors.ts';
import type { CommitRequest, ProjectRepository } from '../../git/repository/project-repository.ts';

export interface SessionName {
  projectId: string;
  sessionId: string;
}

/** A commit of a session's work. */
export interface SessionCommit extends SessionName {
  commit: string;
  /** Which of the session's commits it is, from 1; each further one is the work merged onto another head. */
  landing: number;
}

/** The ref that keeps a commit of a session's work, so that a retry finds it; `number` from 1. */
export function sessionRef(sessionId: string, number: number): string {
  return `refs/longhaul/sessions/${sessionId}/${number}`;
}

/** Commits a tree as the session's work and keeps the commit under its ref. */
export async function commitWork(
  { database, repository }: { database: Database; repository: ProjectRepository },
  session: SessionRow,
  { number, tree, parent }: { number: number; tree: string; parent: string },
): Promise<string> {
  const commit = await repository.commit({ tree, parents: [parent], ...(await describeWork(database, session)) });
  try {
    await repository.keep(sessionRef(session.id, number), commit);
    return commit;
  } catch (error) {
    // An attempt that was presumed dead has kept its commit meanwhile; the first one stays.
    if (isGitError(error, 'RefTaken') && error.found) return error.found;
    throw error;
  }
}

async function describeWork(
  database: Database,
  { id, projectId, featureId, number }: SessionRow,
): Promise<Pick<CommitRequest, 'message' | 'trailers'>> {
  const feature = (await readFeatures(database, projectId)).find((one) => one.id === featureId);
  const name = feature?.name ?? featureId;
  const work = await findRun(database, `${id}-work`);
  const evidence = await readEvidenceHead(database, projectId);
  const text = (work?.result ?? feature?.description ?? '').trim();
  const [firstLine = ''] = text.split('\n');
  return {
    message: `${preview(`${name}: ${firstLine}`, 72)}\n\n${text}`,
    trailers: {
      ...(evidence && { 'Longhaul-Evidence': evidence }),
      'Longhaul-Project': projectId,
      'Longhaul-Feature': name,
      'Longhaul-Session': id,
      'Longhaul-Checkpoint': `${projectId}/c${number}`,
    },
  };
}
