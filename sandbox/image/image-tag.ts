import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The base of the sandbox image: pulled if possible, otherwise built by debootstrap under a tag of Longhaul's own. */
export const baseRecipe = {
  /** Pulled from the registry that the daemon is configured for. */
  pulled: 'debian:bookworm-slim',
  suite: 'bookworm',
  variant: 'minbase',
  /** The tag of a base built here. */
  made: 'longhaul-base:bookworm-minbase',
} as const;

/** The name of the shipped image; each version of it has a tag. */
export const imageName = 'longhaul-sandbox';

/** The tag of the sandbox image: a hash of its inputs, so that it changes exactly when they do. */
export async function imageTag(root: string): Promise<string> {
  const dockerfile = await readFile(join(root, 'sandbox', 'Dockerfile'));
  const hash = createHash('sha256').update(dockerfile).update(JSON.stringify(baseRecipe)).digest('hex');
  return `${imageName}:${hash.slice(0, 12)}`;
}
