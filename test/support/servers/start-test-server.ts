import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import getPort from 'get-port';
import { searchAttributes } from '../../../domain/search-attributes.ts';
import { performStep } from '../../../setup/setup-step.ts';
import { testServerStep } from '../../../setup/steps/test-server.ts';
import { makeContext } from '../../setup/test-configuration.ts';
import { untilAnswers } from './start-temporal.mjs';

/** A Temporal server whose clock skips to the next timer while no activity runs. It has no list, count or schedules. */
export async function startTestServer(): Promise<{ address: string; stop(): Promise<void> }> {
  const { context } = makeContext({ LONGHAUL_HOME: join(homedir(), '.longhaul') });
  const path = await performStep(testServerStep, { ...context, environment: process.env });
  const port = await getPort();
  const server = spawn(path, [String(port), '--enable-time-skipping'], { stdio: 'ignore' });
  const address = `127.0.0.1:${port}`;
  await untilAnswers(address, server);
  await registerSearchAttributes(address);
  return {
    address,
    async stop() {
      const ended = once(server, 'exit');
      server.kill('SIGKILL'); // it keeps nothing
      await ended;
    },
  };
}

const keyword = 2;

async function registerSearchAttributes(address: string): Promise<void> {
  const connection = await Connection.connect({ address });
  const names = Object.values(searchAttributes).map((name) => [name, keyword]);
  await connection.operatorService.addSearchAttributes({ searchAttributes: Object.fromEntries(names) });
  await connection.close();
}
