import { createHash } from 'node:crypto';
import { imageTypeOf, imageTypes, maxImages, type StoredImage } from '../../domain/chat/images.ts';
import { ClientError } from '../errors.ts';

/**
 * The pictures of a message as they are stored.
 * @throws {ClientError} `InvalidInput` if there are too many, or one is too large or no picture that models take.
 */
export function toStoredImages(contents: Uint8Array[]): StoredImage[] {
  if (contents.length > maxImages.perMessage)
    throw new ClientError(
      'InvalidInput',
      `Expected at most ${maxImages.perMessage} pictures in a message, got ${contents.length}.`,
    );
  return contents.map((content) => {
    const type = imageTypeOf(content);
    if (!type)
      throw new ClientError('InvalidInput', `Expected a picture (${imageTypes.join(', ')}), got something else.`);
    if (content.length > maxImages.bytes)
      throw new ClientError(
        'InvalidInput',
        `Expected pictures of at most ${maxImages.bytes / 1024 ** 2} MiB, got one of ${content.length} bytes. Make it smaller.`,
      );
    return { type, content, hash: createHash('sha256').update(content).digest('hex') };
  });
}
