import { isUtf8 } from 'node:buffer';
import { ClientError } from '../../client/errors.ts';

/** @throws {ClientError} `InvalidInput` if these bytes, from `where`, are no text: a model would get replacement characters. */
export function asText(bytes: Buffer, where: string): string {
  if (isUtf8(bytes) && !bytes.includes(0)) return bytes.toString('utf8');
  throw new ClientError(
    'InvalidInput',
    `Expected UTF-8 text ${where}, got ${bytes.length} bytes that are something else. Convert them first, such as with iconv or base64.`,
  );
}
