import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from './run-command.mjs';

/** Step 1: `npm ci` where node_modules is missing, or was made from another package-lock.json. */
export async function installDependencies(root, reporter) {
  const step = reporter.begin('dependencies', 'checking');
  const stamp = join(root, 'node_modules', '.longhaul-lock');
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) {
    step.done('node_modules matches package-lock.json', { alreadyThere: true });
    return;
  }
  step.update('npm ci');
  rmSync(stamp, { force: true }); // an interrupted npm ci leaves no folder that counts as done
  try {
    // Tests, checks and the build need the development dependencies, also where NODE_ENV says production.
    await runCommand('npm', ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund'], { cwd: root });
  } catch (error) {
    step.fail('npm ci failed');
    throw error;
  }
  writeFileSync(stamp, lock);
  step.done('npm ci');
}
