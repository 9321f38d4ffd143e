import { preview } from '../storable-text.ts';

/** What a person is asked to allow, cut to `most` characters; it says so, since what follows could be what matters. */
export function describeAsked(what: string, most: number): string {
  const shown = preview(what, most);
  return what.length <= most ? shown : `${shown} (this is the beginning of ${what.length} characters)`;
}
