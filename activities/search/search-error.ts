import { LonghaulError } from '../../domain/longhaul-error.ts';

/** A search that brought no results because something is wrong; the message is for the agent. */
export class SearchError extends LonghaulError<'SearchFailed'> {
  constructor(message: string) {
    super(message, { code: 'SearchFailed', kind: 'away' });
  }
}
