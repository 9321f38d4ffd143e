import type { LineageRange } from '../../domain/project/lineage-range.ts';
import type { Queryable } from '../connection/database.ts';
import { readLineageRanges } from '../project/lineage.ts';
import { findProject } from '../project/projects.ts';

/** Creates a cached lookup of the present lineage of a memory's project; empty if the memory has no project that is known here. */
export function createRanges(
  query: Queryable,
): (memory: { projectId?: string | undefined }) => Promise<LineageRange[]> {
  const known = new Map<string, Promise<LineageRange[]>>();

  async function read(projectId: string): Promise<LineageRange[]> {
    const project = await findProject(query, projectId);
    return project ? readLineageRanges(query, project.lineageId) : [];
  }

  return async ({ projectId }) => {
    if (projectId === undefined) return [];
    const ranges = known.get(projectId) ?? read(projectId);
    known.set(projectId, ranges);
    return ranges;
  };
}
