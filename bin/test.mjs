import './check-node.cjs';
import { join } from 'node:path';
import { coverageParameters, printCoverage } from './coverage.mjs';
import { runJest } from './run-jest.mjs';
import { withoutOwnServers } from './without-own-servers.mjs';

// npm test: sets everything up, then runs jest with the given parameters. `--quick` runs the tests that need no server. With `--coverage`, line
// coverage too. The last line counts the tests.
const parameters = process.argv
  .slice(2)
  .flatMap((parameter) => (parameter === '--quick' ? ['--selectProjects', 'unit'] : [parameter]));

let counts = { passed: 0, failed: 1, skipped: 0, exitCode: 1 };
try {
  const { prepare } = await import('./prepare.mjs');
  const { setUp } = await import('./set-up.mjs');
  const { root, reporter } = await prepare();
  const { result, testServer } = await setUp(root, reporter, { envFile: false, forTests: true });
  const counted = parameters.includes('--coverage');
  counts = await runJest({
    root,
    environment: {
      ...withoutOwnServers(process.env, result),
      LONGHAUL_TEST_SERVER: testServer,
      ...(counted && { LONGHAUL_TEST_COVERAGE: join(root, 'coverage') }),
    },
    parameters: counted ? [...parameters, ...coverageParameters(root)] : parameters,
  });
  if (counted) await printCoverage(root);
} catch (error) {
  console.error(`\n${error.message}`);
}
const { passed, failed, skipped, exitCode } = counts;
process.exitCode = exitCode || (failed > 0 ? 1 : 0);
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
