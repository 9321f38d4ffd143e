import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { transform } from '@swc/core';
import { packageRoot } from '../../config/package-root.ts';

type Names = Record<string, unknown>;

/** Runs the text of an async function. */
const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor as new (
  ...parameters: string[]
) => (...values: unknown[]) => Promise<void>;

/** The TypeScript blocks of a page in `docs/`. */
export async function readBlocks(page: string): Promise<string[]> {
  const text = await readFile(join(packageRoot(), 'docs', page), 'utf8');
  return [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
}

/** The one block with these words. */
export function blockWith(blocks: readonly string[], words: string): string {
  const [found, ...others] = blocks.filter((block) => block.includes(words));
  if (found === undefined || others.length)
    throw new Error(`Expected one block with ${words}, found ${others.length + 1}.`);
  return found;
}

/** Runs a block; `names` are what it may use without an import, `modules` what it imports. Returns what it defines, its default export as `default`. */
export async function runBlock(code: string, names: Names, modules: Record<string, object> = {}): Promise<Names> {
  const { code: script } = await transform(code.replace(/^(?=const |function |async function |class )/gm, 'export '), {
    jsc: { target: 'es2023', parser: { syntax: 'typescript' } },
    module: { type: 'commonjs', importInterop: 'none' },
    isModule: true,
  });
  const require = (name: string) => {
    const found = modules[name];
    if (!found) throw new Error(`Expected the test to have ${name}, which the block imports.`);
    return found;
  };
  const exports: Names = {};
  const given = { ...names, require, exports };
  await new AsyncFunction(...Object.keys(given), `{${script}\n}`)(...Object.values(given));
  return exports;
}
