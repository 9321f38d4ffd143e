import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

/** Of the stacks of Temporal's activities that people are told, the part that is Temporal's own is cut off by its file names. */
const mapped = /[\\/]@temporalio[\\/]worker[\\/]/;

/**
 * For esbuild: packages that are inlined find the files that lie beside them where they lie in node_modules, but for those that are entry
 * points here, and what is CommonJS finds `require`.
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
    // In one line with the first, so that the lines keep their numbers.
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

/** Takes what each file of a bundle begins with from those that have no use for it: to find places takes half a millisecond. */
export function dropUnusedPlaces(outdir) {
  for (const name of readdirSync(outdir).filter((file) => file.endsWith('.js'))) {
    const path = join(outdir, name);
    const source = readFileSync(path, 'utf8');
    const end = source.indexOf('\n'); // it is a line of its own, which stays, so that the lines keep their numbers
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

/** What each file of a bundle begins with. */
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

/** A stack says which file a package's code is from, and not which line: the maps are read whenever one is told, 4 MB in a worker. */
function fileOnlyMap(path) {
  const map = JSON.stringify({ version: 3, sources: [basename(path)], names: [], mappings: 'AAAA' });
  return `\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString('base64')}`;
}
