import { countOf } from '../../client/format/count.ts';
import { formatMoment } from '../../client/format/time.ts';
import type { MadeToolRow, MadeToolVersion } from '../../db/made-tools/made-tools.ts';
import { alignColumns } from './align-columns.ts';
import { printable, printableLine } from './printable.ts';
import type { ListStyle } from './render-lists.ts';

/** Renders one line per made tool. */
export function renderMadeTools(tools: MadeToolRow[], { colors, width }: ListStyle): string[] {
  const rows = tools.map(({ name, version, language, enabled, uses, failures, description }) => [
    enabled ? name : colors.dim(name),
    `v${version}`,
    language,
    enabled ? countOf(uses, 'use') : 'disabled',
    failures ? colors.red(countOf(failures, 'failure')) : '',
    printableLine(description),
  ]);
  return alignColumns(rows, width);
}

/** Renders everything about one made tool. */
export function renderMadeTool(tool: MadeToolRow & { versions: MadeToolVersion[] }): string {
  const { name, version, enabled, language, author, uses, failures, lastError, lastUsedAt, createdAt } = tool;
  const rows: Array<[string, string | undefined | null]> = [
    ['name', name],
    ['version', `${version}, ${formatMoment(createdAt)}, by ${printableLine(author)}`],
    ['language', language],
    ['state', enabled ? 'enabled' : 'disabled'],
    ['uses', `${uses}, ${countOf(failures, 'failure')}${lastUsedAt ? `, last ${formatMoment(lastUsedAt)}` : ''}`],
    ['last error', lastError && printableLine(lastError)],
    ['versions', tool.versions.map((one) => `${one.version} by ${printableLine(one.author)}`).join(', ')],
  ];
  const facts = rows.filter((row): row is [string, string] => Boolean(row[1]));
  return [
    ...alignColumns(facts),
    '',
    printable(tool.description),
    '',
    JSON.stringify(tool.parameters, null, 2),
    '',
    printable(tool.code.trimEnd()),
    '',
    '--- tests',
    printable(tool.tests.trimEnd()),
  ].join('\n');
}
