import './check-node.mjs';
import { spawn } from 'node:child_process';
import { join } from 'node:path';

// npm run bench -- [turn | long | context | sandbox | cli ...]: sets everything up, then measures on servers of its own.
try {
  const { prepare } = await import('./prepare.mjs');
  const { setUp } = await import('./set-up.mjs');
  const { root, reporter } = await prepare();
  const { result } = await setUp(root, reporter);
  process.exitCode = await runBench(root, benchEnvironment(result));
} catch (error) {
  console.error(`\n${error.message}`);
  process.exitCode = 1;
}

/** A person's own servers and model are not measured; what set-up found is handed on. */
function benchEnvironment(setup) {
  const own = /^(OPENAI|TEMPORAL|LONGHAUL)_|^(DATABASE_URL|LANCEDB_URI)$/;
  const kept = Object.entries(process.env).filter(([name]) => !own.test(name));
  return {
    ...Object.fromEntries(kept),
    ...(setup.temporalCli ? { TEMPORAL_CLI_PATH: setup.temporalCli.path } : {}),
    ...(setup.embeddingModel ? { EMBEDDING_MODEL_PATH: setup.embeddingModel } : {}),
    DOCKER_HOST: setup.docker.host,
    SANDBOX_IMAGE: setup.sandboxImage,
  };
}

async function runBench(root, environment) {
  const parameters = [join(root, 'dist', 'bench', 'main.js'), ...process.argv.slice(2)];
  const child = spawn(process.execPath, parameters, { cwd: root, env: environment, stdio: 'inherit' });
  // Ctrl-C reaches the child by itself; this process stays until it has stopped its servers.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
