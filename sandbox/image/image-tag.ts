import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { baseRecipe } from './base-recipe.ts';

/** The name of the shipped image; each version of it has a tag. */
export const imageName = 'longhaul-sandbox';

/** The tag of the sandbox image: a hash of its inputs, so that it changes exactly when they do. */
export async function imageTag(root: string): Promise<string> {
  const dockerfile = await readFile(join(root, 'sandbox', 'Dockerfile'));
  const hash = createHash('sha256').update(dockerfile).update(JSON.stringify(baseRecipe)).digest('hex');
  return `${imageName}:${hash.slice(0, 12)}`;
}
