import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Bundles dist/client/cli/main.js to dist/command-line/, since Node takes about a millisecond for each file that it imports and
 * `longhaul --help` needs forty. What a command loads when it runs is split off; packages stay where they are, but for commander,
 * which is always needed.
 */
export async function bundleCommandLine(root) {
  const { build, stop } = await import('esbuild'); // not yet installed when this file is loaded
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  await build({
    entryPoints: [join(root, 'dist', 'client', 'cli', 'main.js')],
    outdir: join(root, 'dist', 'command-line'),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    minifyWhitespace: true,
    external: Object.keys(dependencies).filter((name) => name !== 'commander'),
    // commander is CommonJS and requires Node's own modules.
    banner: {
      js: "import { createRequire as forBundle } from 'node:module'; const require = forBundle(import.meta.url);",
    },
    logLevel: 'warning',
  });
  await stop(); // its process would live as long as this one
}
