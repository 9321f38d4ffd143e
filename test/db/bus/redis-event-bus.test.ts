import { expect, test } from '@jest/globals';
import getPort from 'get-port';
import { createEventBus } from '../../../db/bus/create-event-bus.ts';
import { waitFor } from '../../support/wait-for.ts';

test('a Redis that is not there is told once, refuses what is published, and does not keep the bus from closing', async () => {
  const port = await getPort();
  const troubles: string[] = [];
  const bus = createEventBus({
    settings: { bus: 'redis', url: `redis://me:secret-word@127.0.0.1:${port}` },
    databaseUrl: 'postgres://127.0.0.1:1/none',
    onTrouble: (trouble) => void troubles.push(trouble),
  });
  bus.subscribe('longhaul_test', { onPayload() {}, onOpen: () => void troubles.push('opened') });
  await waitFor('the trouble', () => troubles.length > 0);
  for (const payload of ['a', 'b']) {
    await expect(bus.publish('longhaul_test', payload)).rejects.toThrow(`Redis at 127.0.0.1:${port} does not answer.`);
  }
  expect(troubles).toEqual([expect.stringContaining('ECONNREFUSED')]);
  await bus.close();
});
