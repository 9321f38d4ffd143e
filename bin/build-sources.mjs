import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runCommand } from './run-command.mjs';

/** Step 2: compiles to dist/ and bundles the workflows if a source or setting changed since the last build. */
export async function buildSources(root, reporter) {
  const step = reporter.begin('build', 'checking');
  const stamp = join(root, 'dist', '.longhaul-sources');
  const sources = hashSources(root);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) {
    step.done('dist matches its sources', { alreadyThere: true });
    return;
  }
  try {
    rmSync(stamp, { force: true });
    removeLeftOvers(root);
    step.update('compiling');
    const compiler = join(root, 'node_modules', '.bin', 'tsc');
    await runCommand(process.execPath, [compiler, '-p', 'tsconfig.build.json'], { cwd: root });
    step.update('bundling the public types');
    const { bundleTypes } = await import('./bundle-types.mjs'); // its libraries may have just been installed
    await bundleTypes(root);
    step.update('bundling the workflows');
    const { bundleWorkflows } = await import(pathToFileURL(join(root, 'dist', 'workers', 'bundle-workflows.js')).href);
    await bundleWorkflows(join(root, 'dist', 'workflow-bundle.js'));
  } catch (error) {
    step.fail('failed');
    throw error;
  }
  writeFileSync(stamp, sources);
  step.done('dist');
}

/**
 * A hash of everything the build reads: the folders that tsconfig.build.json includes, the settings, the bundling scripts and the lock file with its
 * versions.
 */
function hashSources(root) {
  const { include } = JSON.parse(readFileSync(join(root, 'tsconfig.build.json'), 'utf8'));
  const folders = include.map((pattern) => pattern.split('/')[0]);
  const files = folders.flatMap((folder) => listSources(join(root, folder))).sort();
  const settings = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'].map((name) =>
    join(root, name),
  );
  const hash = createHash('sha256');
  for (const file of [...settings, ...files]) {
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex');
}

function listSources(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name));
}

/** Imports would still find compiled files whose source is gone. */
function removeLeftOvers(root) {
  const dist = join(root, 'dist');
  if (!existsSync(dist)) return;
  for (const name of readdirSync(dist, { recursive: true })) {
    const source = join(root, name.replace(/\.(js|d\.ts|js\.map|d\.ts\.map)$/, '.ts'));
    if (name === 'workflow-bundle.js' || !statSync(join(dist, name)).isFile() || existsSync(source)) continue;
    rmSync(join(dist, name));
  }
}
