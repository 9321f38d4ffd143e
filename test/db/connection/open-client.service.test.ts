import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { openClient } from '../../../db/connection/open-client.ts';
import { databaseOfFile } from '../../support/servers/test-database.ts';

const database = await databaseOfFile();

/** How the driver begins its first statement on a connection. */
const parse = 'P'.charCodeAt(0);

test('a connection that is lost at its first statement fails that statement, and nothing else', async () => {
  const server = new URL(database.url);
  let isCutting = true;
  const between = createServer((socket) => {
    const onward = connect(Number(server.port), server.hostname);
    socket.on('data', (data) => (isCutting && data[0] === parse ? socket.destroy() : onward.write(data)));
    socket.on('close', () => onward.destroy());
    onward.on('error', () => socket.destroy()).pipe(socket);
  });
  await once(between.listen(0, '127.0.0.1'), 'listening');
  const { port } = between.address() as AddressInfo;
  const client = openClient(Object.assign(new URL(server), { port }).href, { max: 1 });
  for (const _time of [1, 2])
    await expect(client`select 1 as one`).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
  isCutting = false;
  expect([...(await client`select 1 as one`)]).toEqual([{ one: 1 }]);
  await client.end();
  between.close();
});
