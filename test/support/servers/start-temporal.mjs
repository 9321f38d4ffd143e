import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import getPort from 'get-port';

/** Keyword search attributes, as in domain/search-attributes.ts. */
const attributes = ['LonghaulProject', 'LonghaulStatus', 'LonghaulFeature', 'LonghaulChat'];

/**
 * Starts a Temporal dev server in memory.
 * @param {string[]} [dynamic] dynamic configuration, such as `limit.historyCount.suggestContinueAsNew=60`
 */
export async function startTemporal(dynamic = []) {
  const port = await getPort();
  const settings = [
    // The dev server's queues are polled 20 times a second by default, which every step of a workflow would wait for.
    ...['history.transferProcessorMaxPollRPS=2000', 'history.timerProcessorMaxPollRPS=2000'],
    // Priority counts, as on the server of `longhaul up`.
    ...[
      'matching.useNewMatcher=true',
      'matching.numTaskqueueReadPartitions=1',
      'matching.numTaskqueueWritePartitions=1',
    ],
    ...dynamic,
  ];
  const server = spawn(
    process.env.TEMPORAL_CLI_PATH ?? 'temporal',
    [
      ...['server', 'start-dev', '--headless', '--ip', '127.0.0.1', '--port', String(port), '--log-level', 'error'],
      ...settings.flatMap((setting) => ['--dynamic-config-value', setting]),
      ...attributes.flatMap((name) => ['--search-attribute', `${name}=Keyword`]),
    ],
    { stdio: 'ignore' },
  );
  const address = `127.0.0.1:${port}`;
  await untilAnswers(address, server);
  return {
    address,
    async stop() {
      const ended = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGTERM');
      await ended;
    },
  };
}

/** Waits for a server that was started as this process. */
export async function untilAnswers(address, server) {
  for (let attempt = 0; attempt < 1_200; attempt += 1) {
    if (server.exitCode !== null) throw new Error(`The Temporal server ended with ${server.exitCode}.`);
    try {
      const connection = await Connection.connect({ address, connectTimeout: '5 seconds' });
      return await connection.close();
    } catch {
      await sleep(100); // not yet up
    }
  }
  throw new Error(`The Temporal server at ${address} did not answer within two minutes.`);
}
