import { preview } from '../storable-text.ts';
import type { RequestAnswer } from './request.ts';

/** What an agent is told of a call that a person did not allow: to do without it, or with `edit`, to make it as the reason says. */
export function describeRefusal(what: string, answer: RequestAnswer | null, reason: string | null): string {
  const why = reason ? `: ${preview(reason, 500).replace(/(?<![.!?…])$/, '.')}` : '.';
  const call = preview(what, 200);
  if (answer === 'edit') return `A person does not want ${call} like this${why} Call it again accordingly.`;
  return `A person refused ${call}${why} Do without it.`;
}
