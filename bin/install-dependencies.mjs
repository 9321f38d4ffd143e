import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CommandFailedError, runCommand } from './run-command.mjs';

// Tests, checks and the build need the development dependencies even when NODE_ENV is production.
const flags = ['--include=dev', '--include=optional', '--no-audit', '--no-fund'];
// onnxruntime-node would fetch GPU parts, and fail the whole installation without a network. In an .npmrc, npm 11 warns of it at each command.
const env = { ...process.env, ONNXRUNTIME_NODE_INSTALL: 'skip' };

/** Step 1: runs `npm ci` if node_modules is missing or came from another package-lock.json. */
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
  rmSync(stamp, { force: true }); // so that an interrupted npm ci does not count as done
  try {
    step.update('npm ci');
    await install(root, step);
  } catch (error) {
    step.fail('npm could not install them');
    throw error;
  }
  mkdirSync(dirname(stamp), { recursive: true }); // npm creates no folder if there is nothing to install
  writeFileSync(stamp, lock);
  step.done('npm ci');
}

async function install(root, step) {
  try {
    await runCommand('npm', ['ci', ...flags], { cwd: root, env });
  } catch (error) {
    // Some npm 11 versions reject a lock file without the optional packages of other platforms (npm/cli#8805, #9846).
    if (!(error instanceof CommandFailedError && /EUSAGE/.test(error.message))) throw error;
    step.update('npm install, since this npm ci refuses the lock file');
    await runCommand('npm', ['install', '--no-save', ...flags], { cwd: root, env });
  }
}
