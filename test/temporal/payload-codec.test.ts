import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { defaultPayloadConverter } from '@temporalio/common';
import { createPayloadCodec } from '../../temporal/payload-codec.ts';

const old = { id: 'old', key: randomBytes(32) };
const young = { id: 'new', key: randomBytes(32) };
const payload = defaultPayloadConverter.toPayload({ goal: 'A secret garden.' });

test('what is encrypted is unreadable, and is what it was once decrypted', async () => {
  const codec = createPayloadCodec([old]);
  const [encoded] = await codec.encode([payload]);
  expect(Buffer.from(encoded?.data ?? []).toString('latin1')).not.toContain('garden');
  expect(Buffer.from(encoded?.metadata?.['encryption-key-id'] ?? []).toString()).toBe('old');
  const [decoded] = await codec.decode(encoded ? [encoded] : []);
  expect(defaultPayloadConverter.fromPayload(decoded as typeof payload)).toEqual({ goal: 'A secret garden.' });
});

test('the same payload is encrypted differently each time', async () => {
  const codec = createPayloadCodec([old]);
  const [one, other] = await codec.encode([payload, payload]);
  expect(Buffer.from(one?.data ?? [])).not.toEqual(Buffer.from(other?.data ?? []));
});

test('after a rotation the first key encrypts, and what the former one encrypted is still read', async () => {
  const before = await createPayloadCodec([old]).encode([payload]);
  const rotated = createPayloadCodec([young, old]);
  const [after] = await rotated.encode([payload]);
  expect(Buffer.from(after?.metadata?.['encryption-key-id'] ?? []).toString()).toBe('new');
  for (const encoded of [before, after ? [after] : []]) {
    const [decoded] = await rotated.decode(encoded);
    expect(defaultPayloadConverter.fromPayload(decoded as typeof payload)).toEqual({ goal: 'A secret garden.' });
  }
});

test('a payload without data, which protobuf gives as an array, stays empty', async () => {
  const codec = createPayloadCodec([old]);
  const nothing = { metadata: { encoding: Buffer.from('binary/null') }, data: [] as unknown as Uint8Array };
  const [decoded] = await codec.decode(await codec.encode([nothing, {}]));
  expect(defaultPayloadConverter.fromPayload(decoded as typeof payload)).toBeUndefined();
});

test('what was never encrypted is left as it is', async () => {
  expect(await createPayloadCodec([old]).decode([payload])).toEqual([payload]);
});

test('an unknown key, another key of the same id, and a changed payload are named', async () => {
  const encoded = await createPayloadCodec([old]).encode([payload]);
  await expect(createPayloadCodec([young]).decode(encoded)).rejects.toMatchObject({
    code: 'PayloadKeyUnknown',
    message: expect.stringContaining('with the id "old"'),
  });
  await expect(createPayloadCodec([{ ...young, id: 'old' }]).decode(encoded)).rejects.toMatchObject({
    code: 'PayloadUnreadable',
  });
  const changed = encoded.map(({ metadata, data }) => {
    const bytes = Buffer.from(data ?? []);
    bytes[bytes.length - 20] = Number(bytes.at(-20)) ^ 1;
    return { metadata: metadata ?? null, data: bytes };
  });
  await expect(createPayloadCodec([old]).decode(changed)).rejects.toMatchObject({ code: 'PayloadUnreadable' });
  await expect(
    createPayloadCodec([old]).decode(
      encoded.map(({ metadata }) => ({ metadata: metadata ?? null, data: Buffer.alloc(3) })),
    ),
  ).rejects.toMatchObject({ code: 'PayloadUnreadable' });
});
