import type { ProjectHandle } from '../../client/project/project-handle.ts';
import type { ProjectEventData } from '../../domain/run/event.ts';

/** Events read per query. */
const page = 500;

/** The number of the event before the last `lines` lines up to the event numbered `latest`; some events have no line. */
export async function findBegin(
  project: Pick<ProjectHandle, 'log'>,
  latest: number,
  lines: number,
  isShown: (data: ProjectEventData) => boolean,
): Promise<number> {
  if (lines >= latest) return 0;
  let missing = lines;
  for (let end = latest; end > 0 && missing > 0; ) {
    const after = Math.max(0, end - page);
    for (const { number, data } of (await project.log({ after, limit: end - after })).reverse()) {
      if (isShown(data)) missing -= 1;
      if (missing === 0) return number - 1;
    }
    end = after;
  }
  return missing > 0 ? 0 : latest;
}
