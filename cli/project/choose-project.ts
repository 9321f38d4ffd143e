import { ClientError } from '../../client/errors.ts';
import type { ProjectRow } from '../../db/project/project-transaction.ts';
import { isTerminal } from '../../domain/project/statuses.ts';

/**
 * The project to use if none was named: the only one, or the only one that has not ended.
 * @throws {ClientError} `InvalidInput` if that is ambiguous.
 */
export function chooseProject(projects: Array<Pick<ProjectRow, 'id' | 'status'>>): string {
  const open = projects.filter(({ status }) => !isTerminal(status));
  const candidates = projects.length === 1 ? projects : open;
  if (candidates.length === 1 && candidates[0]) return candidates[0].id;
  if (projects.length === 0) {
    throw new ClientError('InvalidInput', 'There is no project yet. `longhaul start "<goal>"` starts one.');
  }
  const which = open.length ? open : projects;
  const shown = which.slice(0, 10).map(({ id, status }) => `  ${id} (${status})`);
  const more = which.length > shown.length ? [`  and ${which.length - shown.length} more`] : [];
  throw new ClientError(
    'InvalidInput',
    [
      `Expected the name or id of a project, since ${open.length ? `${open.length} have not ended` : 'all have ended'}:`,
      ...shown,
      ...more,
    ].join('\n'),
  );
}
