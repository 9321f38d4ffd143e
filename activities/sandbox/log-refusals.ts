import { addEvents } from '../../db/events/add-to-owner.ts';
import { readRefusedHosts } from '../../db/events/read-refused-hosts.ts';
import type { RunOwner } from '../../domain/run/run-owner.ts';
import type { Dependencies } from '../dependencies.ts';

/** Adds to the log of a project or chat what the network policy refused a sandbox of it; a repetition adds only what came since. */
export async function logRefusals(
  { database, sandboxes }: Pick<Dependencies, 'database' | 'sandboxes'>,
  owner: RunOwner,
  sandbox: string,
): Promise<void> {
  const refusals = (await sandboxes.refusals(sandbox)).map(({ host, port, why }) => ({ host: `${host}:${port}`, why }));
  if (!refusals.length) return;
  await database.transaction(async (query) => {
    await addEvents(query, owner, []); // locks, so that parallel calls log each host once
    const known = await readRefusedHosts(query, owner, sandbox);
    const added = refusals.filter(({ host }) => !known.has(host));
    if (added.length) await addEvents(query, owner, [{ type: 'network.refused', sandbox, refusals: added }]);
  });
}
