import type { PurgeReport } from '../../client/stores/stores.ts';
import type { Removed, StoreName } from '../../domain/stores/purge.ts';
import { StoreError } from '../../domain/stores/store-error.ts';
import { expectYes } from '../program/ask.ts';
import type { CommandContext } from '../program/command-context.ts';
import { alignColumns } from '../render/columns.ts';
import { printableLine } from '../render/printable.ts';
import { findOwner, type OwnerOptions } from './find-owner.ts';

export interface PurgeOptions extends OwnerOptions {
  before?: Date;
  only?: StoreName[];
  dryRun?: boolean;
  yes?: boolean;
  json?: boolean;
}

/** Removes what is kept about an owner, or what is old, and prints what it removed. */
export async function purge(context: CommandContext, options: PurgeOptions): Promise<void> {
  const { before, only, dryRun = false, yes = false, json = false } = options;
  await context.withLonghaul(async (longhaul) => {
    const { stores } = longhaul;
    const subject = before ? { before } : await findOwner(longhaul, options);
    if (!subject) {
      const message = 'Expected --person, --project or --before. `longhaul purge --help` describes them.';
      throw new StoreError('InvalidInput', message);
    }
    if (!dryRun && !yes) {
      if (!context.stdin.isTTY)
        throw new StoreError('InvalidInput', 'Expected --yes, since nobody can be asked here. Nothing was removed.');
      const planned = await stores.purge(subject, { only, dryRun: true });
      if (!planned.removed.length) {
        print(context, planned, { dryRun: true, json });
        return;
      }
      for (const line of renderRemoved(planned.removed)) context.print(line);
      await expectYes(context, 'Remove all of this for good?');
    }
    print(context, await stores.purge(subject, { only, dryRun }), { dryRun, json });
  });
}

function print(
  context: CommandContext,
  report: PurgeReport,
  { dryRun, json }: { dryRun: boolean; json: boolean },
): void {
  const { removed, left } = report;
  if (json) context.printJson(report);
  else if (!removed.length) context.printMessage('Nothing is stored about that.');
  else {
    context.print(dryRun ? 'Would remove:' : 'Removed:');
    for (const line of renderRemoved(removed)) context.print(line);
    for (const sentence of left) context.note(sentence);
  }
}

/** One line for each thing. */
export function renderRemoved(removed: Removed[]): string[] {
  const rows = removed.map(({ store, kind, id, what, rows: count }) => [
    ...[store, kind, id, what].map(printableLine),
    count === undefined ? '' : `${count} ${count === 1 ? 'row' : 'rows'}`,
  ]);
  return alignColumns(rows).map((line) => `  ${line}`.trimEnd());
}
