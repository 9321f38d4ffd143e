import './check-node.cjs';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { withoutOwnServers } from './without-own-servers.mjs';

// npm run bench -- [turn | long | context | sandbox | cli ...]: sets everything up, then measures on servers of its own.
try {
  const { prepare } = await import('./prepare.mjs');
  const { setUp } = await import('./set-up.mjs');
  const { root, reporter } = await prepare();
  const { result } = await setUp(root, reporter, { envFile: false });
  process.exitCode = await runBench(root, withoutOwnServers(process.env, result));
} catch (error) {
  console.error(`\n${error.message}`);
  process.exitCode = 1;
}

async function runBench(root, environment) {
  const parameters = [join(root, 'dist', 'bench', 'main.js'), ...process.argv.slice(2)];
  const child = spawn(process.execPath, parameters, { cwd: root, env: environment, stdio: 'inherit' });
  // The terminal sends Ctrl-C to the child as well; this process waits while the child stops its servers.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
