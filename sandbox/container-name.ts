import { createHash } from 'node:crypto';

/** The names under which a container host knows a sandbox's parts. Names that only differ in what a host refuses stay apart by a hash. */
export function hostNames(name: string): { container: string; workspace: string; home: string } {
  const allowed = name.replace(/[^A-Za-z0-9_.-]/g, '-').slice(0, 150);
  const container = `longhaul-${allowed === name ? name : `${allowed}-${createHash('sha256').update(name).digest('hex').slice(0, 10)}`}`;
  return { container, workspace: `${container}-workspace`, home: `${container}-home` };
}
