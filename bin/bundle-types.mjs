import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';

/** What the types of each entry may import: nothing of which a user's `tsc --strict` complains, and nothing that is our own affair. */
const forAll = ['zod', 'node:'];
/** For people who write workflows and workers with Temporal's SDK, or who bring the framework that an entry adapts. */
const forOne = {
  './workflow': ['@temporalio/'],
  './worker': ['@temporalio/'],
  './ai-sdk': ['ai', '@ai-sdk/'],
  './openai-agents': ['@openai/'],
};

/**
 * Replaces the compiled declarations in dist/ by those of the entries that package.json exports, and in dist/types/ by what these share. What no entry
 * mentions is left out, so that the public types do not depend on the libraries behind them.
 * @throws {Error} naming the library if an entry's types import one that they may not.
 */
export async function bundleTypes(root) {
  const dist = join(root, 'dist');
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const entries = Object.entries(exports)
    .filter(([, target]) => target.endsWith('.js'))
    .map(([name, target]) => ({ name, file: target.replace('./dist/', '').replace(/\.js$/, '.d.ts') }));
  const bundle = await rollup({
    input: Object.fromEntries(entries.map(({ file }) => [file, join(dist, file)])),
    external: (id) => !/^[./]/.test(id),
    plugins: [dts()],
    onLog(level, log, handle) {
      // That a type has no name in any entry concerns only those who emit declarations of their own.
      if (!log.message.includes('no public re-export')) handle(level, log);
    },
  });
  const { output } = await bundle.generate({
    banner: ({ fileName }) => moduleComment(entries.find(({ file }) => file === fileName)),
    entryFileNames: '[name]',
    chunkFileNames: ({ name }) => `types/${name.replace(/\.d$/, '')}.d.ts`,
  });
  await bundle.close();
  for (const entry of entries) refuseForeignTypes(entry, output);
  for (const name of readdirSync(dist, { recursive: true })) if (name.endsWith('.d.ts')) rmSync(join(dist, name));
  for (const { fileName, code } of output) {
    mkdirSync(dirname(join(dist, fileName)), { recursive: true });
    writeFileSync(join(dist, fileName), code);
  }
}

/** Names the entry in the API reference. */
function moduleComment(entry) {
  return entry ? `/**\n * @module longhaul${entry.name.slice(1)}\n */\n` : '';
}

function refuseForeignTypes({ name, file }, output) {
  const allowed = [...forAll, ...(forOne[name] ?? [])];
  const chunks = new Map(output.map((chunk) => [chunk.fileName, chunk]));
  const reached = new Set([file]);
  for (const at of reached) {
    for (const imported of chunks.get(at).imports) {
      if (chunks.has(imported)) reached.add(imported);
      else if (!allowed.some((start) => imported === start || (/[:/]$/.test(start) && imported.startsWith(start)))) {
        throw new Error(
          `The public types of "${name}" import "${imported}", in dist/${at}; they may import ${allowed.join(', ')}. Declare the type in domain/.`,
        );
      }
    }
  }
}
