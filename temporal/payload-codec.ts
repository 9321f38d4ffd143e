import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Payload, PayloadCodec } from '@temporalio/common';
import { LonghaulError } from '../domain/longhaul-error.ts';

/** A key of AES-256-GCM, of 32 bytes, and the id that is stored beside what it encrypts. */
export interface PayloadKey {
  id: string;
  key: Uint8Array;
}

/** Thrown if a payload cannot be decrypted: none of the keys has its id, or the key is another one or the payload was changed. */
export class PayloadCodecError extends LonghaulError<'PayloadKeyUnknown' | 'PayloadUnreadable'> {
  constructor(code: 'PayloadKeyUnknown' | 'PayloadUnreadable', message: string, cause?: unknown) {
    super(message, { code, kind: 'input', cause });
  }
}

/** The metadata of an encrypted payload, as Temporal's own samples name it. */
const encoding = 'binary/encrypted';
const cipherName = 'AES-256-GCM';
const keyIdName = 'encryption-key-id';

/** Bytes: https://csrc.nist.gov/pubs/sp/800/38/d/final */
const ivLength = 12;
const tagLength = 16;

/** Encrypts every payload with the first key; decrypts with whichever key a payload names, and leaves what was never encrypted as it is. */
export function createPayloadCodec(keys: readonly [PayloadKey, ...PayloadKey[]]): PayloadCodec {
  const [first] = keys;
  return {
    encode: async (payloads) => payloads.map((payload) => encrypt(payload, first)),
    decode: async (payloads) => payloads.map((payload) => decrypt(payload, keys)),
  };
}

function encrypt(payload: Payload, { id, key }: PayloadKey): Payload {
  const iv = randomBytes(ivLength);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(id));
  const data = Buffer.concat([iv, cipher.update(pack(payload)), cipher.final(), cipher.getAuthTag()]);
  const metadata = { encoding, 'encryption-cipher': cipherName, [keyIdName]: id };
  return {
    metadata: Object.fromEntries(Object.entries(metadata).map(([name, value]) => [name, Buffer.from(value)])),
    data,
  };
}

function decrypt(payload: Payload, keys: readonly PayloadKey[]): Payload {
  if (textOf(payload.metadata?.encoding) !== encoding) return payload;
  const id = textOf(payload.metadata?.[keyIdName]);
  const named = keys.find((one) => one.id === id);
  if (!named) {
    throw new PayloadCodecError(
      'PayloadKeyUnknown',
      `Expected a key of LONGHAUL_PAYLOAD_KEYS with the id "${id}", which encrypted a payload; got keys with the ids ${keys.map((one) => `"${one.id}"`).join(', ')}. Add the key after the others.`,
    );
  }
  const data = Buffer.from(payload.data ?? []);
  try {
    const decipher = createDecipheriv('aes-256-gcm', named.key, data.subarray(0, ivLength), {
      authTagLength: tagLength,
    })
      .setAAD(Buffer.from(named.id))
      .setAuthTag(data.subarray(-tagLength));
    return unpack(Buffer.concat([decipher.update(data.subarray(ivLength, -tagLength)), decipher.final()]));
  } catch (error) {
    throw new PayloadCodecError(
      'PayloadUnreadable',
      `Expected the key "${id}" of LONGHAUL_PAYLOAD_KEYS to decrypt a payload, but it is not the key that encrypted it, or the payload was changed. Set the key that had this id.`,
      error,
    );
  }
}

function textOf(bytes: Uint8Array | null | undefined): string {
  return Buffer.from(bytes ?? []).toString();
}

/** A payload as bytes: the length of its metadata, the metadata as JSON with base64 values, its data. */
function pack({ metadata, data }: Payload): Buffer {
  const entries = Object.entries(metadata ?? {}).map(([name, value]) => [name, Buffer.from(value).toString('base64')]);
  const head = Buffer.from(JSON.stringify(Object.fromEntries(entries)));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(head.length);
  return Buffer.concat([length, head, Buffer.from(data ?? [])]); // protobuf's empty bytes are an array
}

function unpack(bytes: Buffer): Payload {
  const end = 4 + bytes.readUInt32BE();
  const head: Record<string, string> = JSON.parse(bytes.subarray(4, end).toString());
  const metadata = Object.entries(head).map(([name, value]) => [name, Buffer.from(value, 'base64')] as const);
  return { metadata: Object.fromEntries(metadata), data: bytes.subarray(end) };
}
