import { readFileSync, rmSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { mendPostgres } from './mend-postgres.mjs';

/**
 * Bundles everything a program loads eagerly into one CommonJS file, `front.cjs`, which replaces its main module; lazy imports stay ES modules. Node
 * takes 10 ms to start with an ES module and 1 ms for each further file, which a command that only prints its usage would wait for.
 * @throws if a class or variable would exist twice, in the front and in the lazily loaded modules.
 */
export async function bundleFront(build, { absWorkingDir: root, outdir, entryPoints, ...shared }, { outputs }) {
  const late = new Map();
  for (const [path, { entryPoint }] of Object.entries(outputs)) if (entryPoint) late.set(entryPoint, basename(path));
  const { metafile } = await build({
    ...shared,
    absWorkingDir: root,
    entryPoints: [entryPoints.main],
    outfile: join(outdir, 'front.cjs'),
    splitting: false,
    format: 'cjs',
    define: { 'import.meta.url': 'moduleUrl' },
    banner: { js: "const moduleUrl = require('node:url').pathToFileURL(__filename).href;" },
    plugins: [importsLate(root, late), commanderAlone, mendPostgres],
    metafile: true,
  });
  expectNothingTwice(root, metafile.inputs, outputs, entryPoints.main);
  for (const name of ['main.js', 'main.js.map']) rmSync(join(outdir, name));
}

function importsLate(root, late) {
  return {
    name: 'imports-late',
    setup({ onResolve, resolve }) {
      onResolve({ filter: /.*/ }, async ({ kind, path, resolveDir, importer }) => {
        if (kind !== 'dynamic-import') return undefined;
        const found = await resolve(path, { kind: 'import-statement', resolveDir, importer });
        if (found.external) return found;
        const file = late.get(relative(root, found.path));
        if (!file)
          throw new Error(`Expected a file of the bundle for the late import of ${path} in ${importer}, found none.`);
        return { path: `./${file}`, external: true };
      });
    },
  };
}

/** commander loads child_process to run subcommands in separate executables, of which there are none; loading it takes 5 ms. */
const commanderAlone = {
  name: 'commander-alone',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]commander[\\/]lib[\\/]command\.js$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      const contents = source.replace(
        "const childProcess = require('node:child_process');",
        'const childProcess = {};',
      );
      if (contents === source) throw new Error(`Expected ${path} to require node:child_process in a line of its own.`);
      return { contents, loader: 'js' };
    });
  },
};

/** Two copies of a function are interchangeable; two copies of a class or of mutable state are not. */
function expectNothingTwice(root, inFront, outputs, main) {
  const ofOthers = Object.values(outputs).filter(({ entryPoint }) => entryPoint !== main);
  const inLate = new Set(ofOthers.flatMap(({ inputs }) => Object.keys(inputs)));
  for (const path of Object.keys(inFront).filter((input) => inLate.has(input))) {
    const [found] = /^(export )?(class|let|var) .*/m.exec(readFileSync(join(root, path), 'utf8')) ?? [];
    if (found)
      throw new Error(
        `Expected what the command line loads at once and late to be functions only, got in ${path}: ${found}`,
      );
  }
}
