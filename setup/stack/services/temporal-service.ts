import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { searchAttributes } from '../../../domain/search-attributes.ts';
import type { TemporalCli } from '../../steps/temporal-cli.ts';
import type { ServiceDefinition } from '../supervisor/service-definition.ts';

const dynamicConfiguration = [
  // By default it polls its queues 20 times a second: a turn of two activities took 97 ms on two cores; with these and the pragmas, 35 ms.
  ...['history.transferProcessorMaxPollRPS=2000', 'history.timerProcessorMaxPollRPS=2000'],
  // The old matcher knows no priorities, and the new one none between the partitions of a queue.
  ...['matching.useNewMatcher=true', 'matching.numTaskqueueReadPartitions=1', 'matching.numTaskqueueWritePartitions=1'],
];
/** Write-ahead logging survives the death of the server's process; only a power cut can lose the last moments. */
const pragmas = ['journal_mode=wal', 'synchronous=normal'];

/** Temporal's dev server with its UI and a file database, on the loopback interface only. */
export function createTemporalService(options: {
  cli: TemporalCli;
  home: string;
  namespace: string;
  environment: Record<string, string>;
}): ServiceDefinition {
  const { cli, home, namespace, environment } = options;
  return {
    name: 'temporal',
    after: [],
    ports: { port: 7233, ui: 8233 },
    async command({ ports }) {
      return {
        file: cli.path,
        parameters: ['server', 'start-dev', '--ip', '127.0.0.1']
          .concat(['--port', String(ports.port), '--ui-port', String(ports.ui)])
          .concat(['--db-filename', join(home, 'temporal', 'temporal.db')])
          .concat(namespace === 'default' ? [] : ['--namespace', namespace])
          .concat(dynamicConfiguration.flatMap((value) => ['--dynamic-config-value', value]))
          .concat(pragmas.flatMap((value) => ['--sqlite-pragma', value]))
          .concat(Object.values(searchAttributes).flatMap((name) => ['--search-attribute', `${name}=Keyword`]))
          .concat(['--ui-disable-news-fetch', '--log-level', 'warn', '--disable-config-file', '--disable-config-env']),
        environment,
      };
    },
    async ready({ ports }) {
      const address = `127.0.0.1:${ports.port}`;
      const connection = await Connection.connect({ address, connectTimeout: 1_000 });
      try {
        await connection.workflowService.describeNamespace({ namespace });
      } finally {
        await connection.close();
      }
      const ui = `http://127.0.0.1:${ports.ui}`;
      return { url: ui, addresses: { temporal: address, ui } };
    },
    readyMs: 60_000,
    stop: { signal: 'SIGINT', graceMs: 2_500 },
  };
}
