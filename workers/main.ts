import { withEnvFile } from '../config/env-file.ts';
import { loadConfiguration } from '../config/load-configuration.ts';
import { runWorker } from './run-worker.ts';

const stop = new AbortController();
process.on('SIGTERM', () => stop.abort());
process.on('SIGINT', () => stop.abort());

// Where nothing started this that read the file: `longhaul up` has, and leaves out what is not for its own servers.
if (process.argv.includes('--env-file')) Object.assign(process.env, withEnvFile(process.env)); // libraries and longhaul.config.ts read it there

await runWorker({
  configuration: await loadConfiguration(process.env),
  environment: process.env,
  onReady: () => console.log(JSON.stringify({ ready: true })),
  signal: stop.signal,
});
// Sockets of libraries that know no close may keep the process alive; everything of ours is closed.
process.exit(0);
