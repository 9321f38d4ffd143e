import { loadConfiguration } from '../config/load-configuration.ts';
import { runWorker } from './run-worker.ts';

const stop = new AbortController();
process.on('SIGTERM', () => stop.abort());
process.on('SIGINT', () => stop.abort());

await runWorker({
  configuration: await loadConfiguration(process.env),
  environment: process.env,
  onReady: () => console.log(JSON.stringify({ ready: true })),
  signal: stop.signal,
});
// Sockets of libraries that know no close may keep the process alive; everything of ours is closed.
process.exit(0);
