import { withEnvFile } from '../config/environment.ts';
import { loadConfiguration } from '../config/load-configuration.ts';
import { createLog } from '../telemetry/create-log.ts';
import { installRuntime } from './install-runtime.ts';
import { openTelemetry } from './open-telemetry.ts';
import { runWorker } from './run-worker.ts';
import { scrubOutput } from './scrub-output.ts';

/** Runs this process's worker until it is stopped or its supervisor has ended. */
export async function serve(): Promise<void> {
  scrubOutput(process.stdout);
  scrubOutput(process.stderr);
  let log = createLog({ level: 'info', format: 'text' }, process.stderr); // until the settings are known
  const stop = new AbortController();
  process.on('SIGTERM', () => stop.abort());
  process.on('SIGINT', () => stop.abort());

  // A worker that `longhaul up` started ends with it. Left alone, it would take the tasks of the next Temporal server on this port.
  const endAlone = () => {
    log.warn(
      'The `longhaul up` that started this worker has ended, so the worker ends too. The next `longhaul up` continues its work.',
    );
    stop.abort();
  };
  process.on('disconnect', endAlone);
  if (process.connected === false) endAlone();

  // Only needed when started directly: `longhaul up` reads the file itself and leaves out what is not for its own servers (TEMPORAL_*).
  if (process.argv.includes('--env-file')) Object.assign(process.env, withEnvFile(process.env)); // libraries and longhaul.config.ts read it there

  const configuration = await loadConfiguration(process.env, () => import('../models/index.ts'));
  log = createLog(configuration.logging, process.stderr);
  await installRuntime(log, configuration.metrics);
  await runWorker({
    configuration,
    environment: process.env,
    telemetry: await openTelemetry(configuration, log),
    onReady: () => console.log(JSON.stringify({ ready: true })),
    signal: stop.signal,
  });
}
