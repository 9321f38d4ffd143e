import { requests } from '../activities.ts';

/** Removes the sandboxes that no running workflow needs, for `longhaul sandbox prune`; returns their names. */
export async function pruneSandboxesWorkflow(): Promise<string[]> {
  return requests.pruneSandboxes();
}
