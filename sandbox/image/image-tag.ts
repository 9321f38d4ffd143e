import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { baseRecipe } from './base-recipe.ts';

/** The tag of the sandbox image: a hash of its inputs, so that a change of them makes another image and nothing else does. */
export async function imageTag(root: string): Promise<string> {
  const dockerfile = await readFile(join(root, 'sandbox', 'Dockerfile'));
  const hash = createHash('sha256').update(dockerfile).update(JSON.stringify(baseRecipe)).digest('hex');
  return `longhaul-sandbox:${hash.slice(0, 12)}`;
}
