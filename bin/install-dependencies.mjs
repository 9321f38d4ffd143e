import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CommandFailedError, runCommand } from './run-command.mjs';

// Tests, checks and the build need the development dependencies, also where NODE_ENV says production.
const flags = ['--include=dev', '--include=optional', '--no-audit', '--no-fund'];

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
  rmSync(stamp, { force: true }); // an interrupted npm ci leaves no folder that counts as done
  try {
    step.update('npm ci');
    await install(root, step);
  } catch (error) {
    step.fail('npm could not install them');
    throw error;
  }
  mkdirSync(dirname(stamp), { recursive: true }); // npm makes no folder where there is nothing to install
  writeFileSync(stamp, lock);
  step.done('npm ci');
}

async function install(root, step) {
  try {
    await runCommand('npm', ['ci', ...flags], { cwd: root });
  } catch (error) {
    // Some versions of npm 11 refuse a lock file that lacks the optional packages of other platforms (npm/cli#8805, #9846).
    if (!(error instanceof CommandFailedError && /EUSAGE/.test(error.message))) throw error;
    step.update('npm install, since this npm ci refuses the lock file');
    await runCommand('npm', ['install', '--no-save', ...flags], { cwd: root });
  }
}
