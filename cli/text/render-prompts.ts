import type { listPrompts } from '../settings/list-prompts.ts';
import { fitColumns } from './fit-columns.ts';

/** Renders the output of `longhaul prompts list`: a line per prompt, then complaints about the user's own files. */
export function renderPrompts({ prompts, complaints }: ReturnType<typeof listPrompts>, width?: number): string {
  const rows = prompts.map(({ name, roles, path, own }) => [name, roles.join(' '), own ? 'own' : 'shipped', path]);
  const all = [...prompts.flatMap(({ complaint }) => complaint ?? []), ...complaints];
  return [...fitColumns(rows, width, 2), ...(all.length ? ['', ...all] : [])].join('\n');
}
