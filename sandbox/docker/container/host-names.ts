import { createHash } from 'node:crypto';

/** The names of a sandbox's parts on the container host. A hash keeps apart names that differ only in characters the host does not allow. */
export function hostNames(name: string): { container: string; workspace: string; home: string; layer: string } {
  const allowed = name.replace(/[^A-Za-z0-9_.-]/g, '-').slice(0, 150);
  const container = `longhaul-${allowed === name ? name : `${allowed}-${createHash('sha256').update(name).digest('hex').slice(0, 10)}`}`;
  return {
    container,
    workspace: `${container}-workspace`,
    home: `${container}-home`,
    layer: `${container}-layer`,
  };
}
