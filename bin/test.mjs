import './check-node.cjs';
import { runJest } from './run-jest.mjs';
import { withoutOwnServers } from './without-own-servers.mjs';

// npm test: sets everything up, then runs jest with the given parameters. The last line counts the tests.
const parameters = process.argv.slice(2);
/** `--quick` skips what takes long: whole projects and chats, git and containers, set-up, and what waits for workers. */
const slow = [
  '/test/(e2e|git|sandbox|setup|workers)/',
  '/test/activities/(made-tools/|sandbox/|verify|tools/(chat-sandbox|output-tool))',
  '/test/client/(cli/tools|chat/create-chat-handle)',
];
const quick = ['--testPathIgnorePatterns', slow.join('|')];

let counts = { passed: 0, failed: 1, skipped: 0, exitCode: 1, unsteady: [] };
try {
  const { prepare } = await import('./prepare.mjs');
  const { setUp } = await import('./set-up.mjs');
  const { root, reporter } = await prepare();
  const { result } = await setUp(root, reporter, { envFile: false });
  counts = await runJest({
    root,
    environment: withoutOwnServers(process.env, result),
    parameters: parameters.flatMap((parameter) => (parameter === '--quick' ? quick : [parameter])),
    runAgain: parameters.every((parameter) => parameter === '--quick'), // who names tests wants to see them fail
  });
} catch (error) {
  console.error(`\n${error.message}`);
}
const { passed, failed, skipped, exitCode, unsteady } = counts;
process.exitCode = exitCode || (failed > 0 ? 1 : 0);
for (const test of unsteady) console.log(`Failed at first, passed when run again alone: ${test}`);
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
