import { open } from 'node:fs/promises';
import { countOf } from '../../client/format/count.ts';
import type { StoreName } from '../../domain/stores/purge.ts';
import type { CommandContext } from '../program/command-context.ts';
import { printableJson } from '../render/printable.ts';
import { findOwner, type OwnerOptions } from './find-owner.ts';

export interface ExportOptions extends OwnerOptions {
  only?: StoreName[];
}

/** Writes one JSON object a line: the store, the kind and the row. */
export async function exportStores(
  context: CommandContext,
  file: string | undefined,
  options: ExportOptions,
): Promise<void> {
  await context.withLonghaul(async (longhaul) => {
    const rows = longhaul.stores.export(await findOwner(longhaul, options), { only: options.only });
    const target = file === undefined ? undefined : await open(file, 'w', 0o600);
    let count = 0;
    for await (const row of rows) {
      const line = printableJson(row);
      if (target) await target.write(`${line}\n`);
      else context.print(line);
      count += 1;
    }
    await target?.close();
    if (file !== undefined) context.print(`Wrote ${countOf(count, 'row')} to ${file}.`);
  });
}
