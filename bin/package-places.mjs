import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

/** Keeps its source map: Temporal cuts its own frames from the stacks of activities by file name. */
const mapped = /[\\/]@temporalio[\\/]worker[\\/]/;

/**
 * esbuild plugin: inlined packages find the files beside them at their place in node_modules (except those bundled as entry points here), and
 * CommonJS code finds `require`.
 */
export function packagePlaces({ root, outdir, entryPoints }) {
  const packages = join(root, 'node_modules');
  const bundled = new Map(Object.entries(entryPoints).map(([name, path]) => [join(root, path), `${name}.js`]));

  function withPlaces(source, path) {
    if (!/\b(__dirname|__filename|require\.resolve)\b/.test(source)) return source;
    const found = source
      .replace(/\brequire\.resolve\('([^']+)'\)/g, (call, name) => {
        const file = bundled.get(join(dirname(path), `${name}.js`));
        return file ? `(programFolder + ${JSON.stringify(file)})` : call;
      })
      .replaceAll('require.resolve(', 'requireFrom(__filename).resolve(');
    const place = JSON.stringify(relative(packages, path));
    // Joined to the first line, so that line numbers stay the same.
    return `const __filename = packagesFolder + ${place}, __dirname = require('node:path').dirname(__filename);${found}`;
  }

  return {
    name: 'package-places',
    setup({ initialOptions, onLoad }) {
      initialOptions.banner = { js: places(relative(outdir, packages)) };
      onLoad({ filter: /[\\/]node_modules[\\/].*\.[cm]?js$/ }, ({ path }) => {
        const contents = withPlaces(readFileSync(path, 'utf8'), path);
        return { contents: mapped.test(path) ? contents : contents + fileOnlyMap(path), loader: 'js' };
      });
    },
  };
}

/** Removes the banner from bundle files that do not use it: computing the paths takes half a millisecond. */
export function dropUnusedPlaces(outdir) {
  for (const name of readdirSync(outdir).filter((file) => file.endsWith('.js'))) {
    const path = join(outdir, name);
    const source = readFileSync(path, 'utf8');
    const end = source.indexOf('\n'); // only the banner line is emptied, so that line numbers stay the same
    const rest = source.slice(end);
    if (
      source.startsWith(beginning) &&
      !/\b(require|requireFrom|pathOfUrl|programFolder|packagesFolder)\b/.test(rest)
    ) {
      writeFileSync(path, rest);
    }
  }
}

const beginning = "import { createRequire as requireFrom } from 'node:module'";

/** The banner of each bundle file. */
function places(toPackages) {
  return [
    beginning,
    "import { fileURLToPath as pathOfUrl } from 'node:url'",
    'const require = requireFrom(import.meta.url)',
    "const programFolder = pathOfUrl(new URL('.', import.meta.url))",
    `const packagesFolder = pathOfUrl(new URL('${toPackages}/', import.meta.url))`,
    '',
  ].join(';');
}

/** Stack traces name a package's source file but not the line: full source maps are read for every printed stack, 4 MB in a worker. */
function fileOnlyMap(path) {
  const map = JSON.stringify({ version: 3, sources: [basename(path)], names: [], mappings: 'AAAA' });
  return `\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString('base64')}`;
}
