import { expect, test } from '@jest/globals';
import { readConfiguration } from '../../../config/configuration.ts';

const read = (value?: string) =>
  readConfiguration({ LONGHAUL_HOME: '/home/ada/data', LONGHAUL_EVENT_BUS: value }).events;

test('the bus is Postgres unless a Redis server is named', () => {
  expect(read()).toEqual({ bus: 'postgres' });
  expect(read(' ')).toEqual({ bus: 'postgres' });
  expect(read('postgres')).toEqual({ bus: 'postgres' });
  for (const url of ['redis://127.0.0.1:6379', 'rediss://me:word@host:1/2']) {
    expect(read(url)).toEqual({ bus: 'redis', url });
  }
});

test('another bus is refused without telling a password', () => {
  expect(() => read('kafka')).toThrow(
    'Expected LONGHAUL_EVENT_BUS to be "postgres" or the address of a Redis server, such as redis://127.0.0.1:6379; got "kafka".',
  );
  expect(() => read('amqp://me:secret@host')).toThrow('got an address of another kind.');
});
