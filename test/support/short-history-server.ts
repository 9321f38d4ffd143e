import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import getPort from 'get-port';

/** A Temporal server that suggests to continue as new after so many events. */
export interface ShortHistoryServer {
  address: string;
  stop(): Promise<void>;
}

export async function startShortHistoryServer(events: number): Promise<ShortHistoryServer> {
  const port = await getPort();
  const server = spawn(
    process.env.TEMPORAL_CLI_PATH ?? 'temporal',
    [
      ...['server', 'start-dev', '--headless', '--ip', '127.0.0.1', '--port', String(port), '--log-level', 'error'],
      ...['--dynamic-config-value', `limit.historyCount.suggestContinueAsNew=${events}`],
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

async function untilAnswers(address: string, server: ChildProcess): Promise<void> {
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
