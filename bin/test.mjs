import './check-node.cjs';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withoutOwnServers } from './without-own-servers.mjs';

// npm test: sets everything up, then runs jest with the given parameters. The last line counts the tests.
const folder = mkdtempSync(join(tmpdir(), 'longhaul-test-'));
const report = join(folder, 'jest.json');
/** `--quick` skips whole-project tests and those that kill git or containers at each step. */
const choice = process.argv
  .slice(2)
  .flatMap((parameter) =>
    parameter === '--quick'
      ? ['--testPathIgnorePatterns', '/test/(e2e|git|sandbox|activities/made-tools)/|/cli/tools.test']
      : [parameter],
  );
try {
  const { prepare } = await import('./prepare.mjs');
  const { setUp } = await import('./set-up.mjs');
  const { root, reporter } = await prepare();
  const { result } = await setUp(root, reporter, { envFile: false });
  process.exitCode = await runJest(root, withoutOwnServers(process.env, result));
} catch (error) {
  console.error(`\n${error.message}`);
  process.exitCode = 1;
}
const { passed, failed, skipped } = readCounts();
rmSync(folder, { recursive: true, force: true, maxRetries: 5 }); // interrupted processes may still be writing
if (failed > 0) process.exitCode ||= 1;
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);

async function runJest(root, environment) {
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
  // A failed test may have left a server open, which must not keep the run alive.
  const parameters = [...flags, jest, '--forceExit', '--json', '--outputFile', report, ...choice];
  const child = spawn(process.execPath, parameters, {
    cwd: root,
    // Shared by the test files of a run. Below `folder`, since jest does not remove it after Ctrl-C.
    env: { ...environment, LONGHAUL_TEST_RUN: mkdtempSync(join(folder, 'run-')) },
    stdio: 'inherit',
  });
  // The terminal sends Ctrl-C to jest as well; this process stays to count the tests that ran.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/** Test counts; a test file that could not run counts as one failed test. */
function readCounts() {
  try {
    const counts = JSON.parse(readFileSync(report, 'utf8'));
    return {
      passed: counts.numPassedTests,
      failed: counts.numFailedTests + counts.numRuntimeErrorTestSuites,
      skipped: counts.numPendingTests,
    };
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return { passed: 0, failed: 1, skipped: 0 }; // jest did not finish, or never started
  }
}
