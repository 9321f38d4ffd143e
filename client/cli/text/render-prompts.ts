import type { listPrompts } from '../list-prompts.ts';
import { alignColumns } from './align-columns.ts';

/** What `longhaul prompts list` prints: a line for each prompt, then what is wrong with the user's own. */
export function renderPrompts({ prompts, complaints }: ReturnType<typeof listPrompts>): string {
  const rows = prompts.map(({ name, roles, path, own }) => [name, roles.join(' '), own ? 'own' : 'shipped', path]);
  const all = [...prompts.flatMap(({ complaint }) => complaint ?? []), ...complaints];
  return [...alignColumns(rows), ...(all.length ? ['', ...all] : [])].join('\n');
}
