import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Node starts a process by `fork`, whose time grows with the pages of native memory: glibc's huge pages in one arena make it a third. */
const cheaperFork = { GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1:glibc.malloc.arena_max=1' };

/** Runs jest and counts its tests; a file that fails without a failed test counts as one. */
export async function runJest({ root, environment, parameters }) {
  const folder = mkdtempSync(join(tmpdir(), 'longhaul-test-'));
  const report = join(folder, 'jest.json');
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
  // The terminal sends Ctrl-C to jest as well; this process stays to count the tests that ran.
  const stay = () => {};
  process.on('SIGINT', stay);
  try {
    const child = spawn(process.execPath, [...flags, jest, '--json', '--outputFile', report, ...parameters], {
      cwd: root,
      // What the test files of a run share is below `folder`, since jest does not remove it after Ctrl-C.
      env: { ...cheaperFork, ...environment, LONGHAUL_TEST_RUN: mkdtempSync(join(folder, 'run-')) },
      stdio: 'inherit',
    });
    const terminate = () => child.kill('SIGTERM');
    process.once('SIGTERM', terminate);
    const exitCode = await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => resolve(code ?? 1));
    });
    process.off('SIGTERM', terminate);
    return { exitCode, ...count(readFiles(report)) };
  } finally {
    process.off('SIGINT', stay);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 }); // interrupted processes may still be writing
  }
}

function readFiles(report) {
  try {
    return JSON.parse(readFileSync(report, 'utf8')).testResults;
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return [{ status: 'failed', assertionResults: [] }]; // jest did not finish, or never started
  }
}

function count(files) {
  const statuses = files.flatMap(({ status, assertionResults }) => {
    const tests = assertionResults.map((result) => result.status);
    return status === 'failed' && !tests.includes('failed') ? [...tests, 'failed'] : tests;
  });
  const having = (...some) => statuses.filter((status) => some.includes(status)).length;
  return { passed: having('passed'), failed: having('failed'), skipped: having('pending', 'skipped') };
}
