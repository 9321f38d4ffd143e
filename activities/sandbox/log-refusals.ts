import { readRefusedHosts } from '../../db/events/read-refused-hosts.ts';
import { inProject } from '../../db/project/project-transaction.ts';
import type { Dependencies } from '../dependencies.ts';

/** Adds to a project's log what the network policy refused a sandbox; a repetition adds only what came since. */
export async function logRefusals(
  { database, sandboxes }: Pick<Dependencies, 'database' | 'sandboxes'>,
  { projectId, sandbox }: { projectId: string; sandbox: string },
): Promise<void> {
  const refusals = (await sandboxes.refusals(sandbox)).map(({ host, port, why }) => ({ host: `${host}:${port}`, why }));
  if (!refusals.length) return;
  await inProject(database, projectId, async ({ query, log }) => {
    const known = await readRefusedHosts(query, { projectId, sandbox });
    const added = refusals.filter(({ host }) => !known.has(host));
    if (added.length) await log({ type: 'network-refused', sandbox, refusals: added });
  });
}
