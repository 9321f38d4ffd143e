import type { Queryable } from '../connection/database.ts';
import { startRequests } from '../schema/projects.ts';

/** Notes the folder, absolute, that a person named for the project that will have this id. */
export async function saveStartRequest(query: Queryable, projectId: string, folder: string): Promise<void> {
  await query.insert(startRequests).values({ projectId, folder }).onConflictDoNothing();
}

/** Every folder that a person named for a project, on whatever machine. */
export async function readRequestedFolders(query: Queryable): Promise<string[]> {
  const rows = await query
    .selectDistinctOn([startRequests.folder], { folder: startRequests.folder })
    .from(startRequests);
  return rows.map(({ folder }) => folder);
}
