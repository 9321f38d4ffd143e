import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

/** More than this many failed files are no accident of time. */
const mostRunAgain = 3;

/**
 * Runs jest and counts its tests; a file that failed without a failed test counts as one. With `runAgain`, up to three failed files are run once more,
 * alone: servers are killed and two files at a time compete for the machine, so that a moment may be missed. Their second outcome counts, and
 * `unsteady` names what failed before.
 */
export async function runJest({ root, environment, parameters, runAgain }) {
  const folder = mkdtempSync(join(tmpdir(), 'longhaul-test-'));
  let interrupted = false;
  // The terminal sends Ctrl-C to jest as well; this process stays to count the tests that ran.
  const interrupt = () => {
    interrupted = true;
  };
  process.on('SIGINT', interrupt);
  try {
    const first = await runOnce(parameters);
    const failed = first.files.filter(({ status }) => status === 'failed').map(({ name }) => name);
    if (!runAgain || interrupted || failed.length === 0 || failed.length > mostRunAgain)
      return { ...count(first), unsteady: [] };
    console.log(`\nOnce more, alone: ${failed.map((file) => relative(root, file)).join(', ')}`);
    const second = await runOnce(['--runInBand', '--runTestsByPath', ...failed]);
    const files = first.files.map((file) => second.files.find(({ name }) => name === file.name) ?? file);
    const passed = second.files.filter(({ status }) => status === 'passed').map(({ name }) => name);
    return {
      ...count({ files, exitCode: second.exitCode }),
      unsteady: first.files.filter(({ name }) => passed.includes(name)).flatMap((file) => failures(root, file)),
    };
  } finally {
    process.off('SIGINT', interrupt);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 }); // interrupted processes may still be writing
  }

  async function runOnce(choice) {
    const report = join(mkdtempSync(join(folder, 'report-')), 'jest.json');
    const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
    const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
    // A failed test may have left a server open, which must not keep the run alive.
    const child = spawn(
      process.execPath,
      [...flags, jest, '--forceExit', '--json', '--outputFile', report, ...choice],
      {
        cwd: root,
        // Shared by the test files of a run. Below `folder`, since jest does not remove it after Ctrl-C.
        env: { ...environment, LONGHAUL_TEST_RUN: mkdtempSync(join(folder, 'run-')) },
        stdio: 'inherit',
      },
    );
    const terminate = () => {
      interrupted = true;
      child.kill('SIGTERM');
    };
    process.on('SIGTERM', terminate);
    try {
      const exitCode = await new Promise((resolve, reject) => {
        child.once('error', reject);
        child.once('exit', (code) => resolve(code ?? 1));
      });
      return { exitCode, files: readFiles(report) };
    } finally {
      process.off('SIGTERM', terminate);
    }
  }
}

function readFiles(report) {
  try {
    return JSON.parse(readFileSync(report, 'utf8')).testResults;
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return [{ name: '', status: 'failed', assertionResults: [] }]; // jest did not finish, or never started
  }
}

function count({ exitCode, files }) {
  const tests = files.flatMap((file) => file.assertionResults);
  const having = (...statuses) => tests.filter(({ status }) => statuses.includes(status)).length;
  const broken = files.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((result) => result.status === 'failed'),
  );
  return {
    exitCode,
    passed: having('passed'),
    failed: having('failed') + broken.length,
    skipped: having('pending', 'skipped'),
  };
}

function failures(root, { name, assertionResults }) {
  const failed = assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);
  return (failed.length > 0 ? failed : ['the file']).map((test) => `${relative(root, name)}: ${test}`);
}
