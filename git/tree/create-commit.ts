import { gitErrors } from '../error-messages.ts';
import type { Git } from '../process/run-git.ts';
import type { CommitRequest, Identity } from '../repository/project-repository.ts';

/** Creates a commit object; the harness is the committer, and also the author unless one is given. */
export async function createCommit(git: Git, request: CommitRequest, author?: Identity): Promise<string> {
  const environment: Record<string, string> = {};
  if (author) Object.assign(environment, { GIT_AUTHOR_NAME: author.name, GIT_AUTHOR_EMAIL: author.email });
  if (request.date)
    Object.assign(environment, { GIT_AUTHOR_DATE: gitDate(request.date), GIT_COMMITTER_DATE: gitDate(request.date) });
  const parents = request.parents.flatMap((parent) => ['-p', parent]);
  const input = commitMessage(request.message, request.trailers);
  return git.text(['commit-tree', ...parents, '-F', '-', request.tree], { input, environment });
}

/** The message with its trailers as the last paragraph; whitespace in values is collapsed to spaces. */
export function commitMessage(message: string, trailers: Record<string, string>): string {
  const lines = Object.entries(trailers).map(([key, value]) => {
    const line = value.replaceAll(/[\s\0]+/g, ' ').trim();
    if (!/^[A-Za-z0-9][A-Za-z0-9-]*$/.test(key) || line === '') throw gitErrors.invalidTrailer(key);
    return `${key}: ${line}\n`;
  });
  const text = message.replaceAll('\0', '').trim();
  return `${[text, lines.join('').trim()].filter((part) => part !== '').join('\n\n')}\n`;
}

/** Seconds since 1970 in UTC, the only form that every git reads the same way. */
function gitDate(date: string): string {
  const milliseconds = Date.parse(date);
  if (Number.isNaN(milliseconds))
    throw new RangeError(`Expected an ISO 8601 date for a commit, got ${JSON.stringify(date)}.`);
  return `@${Math.floor(milliseconds / 1000)} +0000`;
}
