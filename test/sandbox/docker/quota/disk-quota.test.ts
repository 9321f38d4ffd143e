import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import type Docker from 'dockerode';
import { createDiskQuota } from '../../../../sandbox/docker/quota/disk-quota.ts';

/** A container host with these sandboxes, of which a measurement prints what is given, or fails with it. */
function pretendHost(measured: Record<string, string | Error>) {
  const killed: string[] = [];
  const docker = {
    info: async () => ({ DockerRootDir: '/nowhere' }),
    listContainers: async () => Object.keys(measured).map((Id) => ({ Id, Labels: { 'longhaul.name': Id } })),
    getContainer: (id: string) => ({
      stats: async () => ({}),
      inspect: async () => ({
        ...{ Name: `/${id}`, Image: 'i', Config: { Labels: {} } },
        Mounts: [{ Destination: '/workspace', Name: id }],
      }),
      kill: async () => killed.push(id),
    }),
    createContainer: async ({ name }: { name: string }) => ({
      attach: async () => Readable.from([frame(measured[name.replace(/-measure-.*/, '')] ?? '')]),
      start: async () => {},
      remove: async () => {},
    }),
  } as unknown as Docker;
  const quota = { bytes: 1024, files: 10 };
  return { killed, watch: createDiskQuota({ docker, stack: undefined, quota, isolation: {} }) };
}

/** As the daemon sends what a program printed. */
function frame(said: string | Error): Buffer {
  if (typeof said !== 'string') throw said;
  const head = Buffer.from([1, 0, 0, 0, 0, 0, 0, Buffer.byteLength(said)]);
  return Buffer.concat([head, Buffer.from(said)]);
}

test('a sandbox that cannot be measured in time is stopped, and the others are measured', async () => {
  const { killed, watch } = pretendHost({ deep: 'unmeasured\n', large: '2 4096\n', good: '2 10\n' });
  expect(await watch.enforce()).toEqual([
    'Sandbox deep was stopped: what it has on disk could not be measured in 60 s. Remove what is not needed, such as folders in very many folders.',
    expect.stringContaining('Sandbox large was stopped: it uses'),
  ]);
  expect(killed).toEqual(['deep', 'large']);
});

test('a measurement that fails keeps no other sandbox from being measured, and is said when nothing else is', async () => {
  const failing = { odd: new Error('odd') };
  const { killed, watch } = pretendHost({ ...failing, strange: 'x', large: '2 4096\n' });
  expect(await watch.enforce()).toHaveLength(1);
  expect(killed).toEqual(['large']);
  await expect(pretendHost(failing).watch.enforce()).rejects.toThrow('odd');
});
