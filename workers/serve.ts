import { withEnvFile } from '../config/environment.ts';
import { loadConfiguration } from '../config/load-configuration.ts';
import { runWorker } from './run-worker.ts';
import { scrubOutput } from './scrub-output.ts';

/** Runs this process's worker until it is stopped or its supervisor has ended. */
export async function serve(): Promise<void> {
  scrubOutput(process.stdout);
  scrubOutput(process.stderr);
  const stop = new AbortController();
  process.on('SIGTERM', () => stop.abort());
  process.on('SIGINT', () => stop.abort());

  // A worker that `longhaul up` started ends with it. Left alone, it would take the tasks of the next Temporal server on this port.
  const endAlone = () => {
    console.error(
      'The `longhaul up` that started this worker has ended, so the worker ends too. The next `longhaul up` continues its work.',
    );
    stop.abort();
  };
  process.on('disconnect', endAlone);
  if (process.connected === false) endAlone();

  // Only needed when started directly: `longhaul up` reads the file itself and leaves out what is not for its own servers (TEMPORAL_*).
  if (process.argv.includes('--env-file')) Object.assign(process.env, withEnvFile(process.env)); // libraries and longhaul.config.ts read it there

  await runWorker({
    configuration: await loadConfiguration(process.env, () => import('../models/index.ts')),
    environment: process.env,
    onReady: () => console.log(JSON.stringify({ ready: true })),
    signal: stop.signal,
  });
}
