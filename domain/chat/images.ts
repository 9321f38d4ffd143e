/** Pictures that models take, as most providers do. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
export type ImageType = (typeof imageTypes)[number];

export const maxImages = {
  /** Bytes of one picture: 5 MiB, the most that Anthropic takes. */
  bytes: 5 * 1024 ** 2,
  perMessage: 8,
  /** The latest ones of a conversation that a request has. */
  perRequest: 20,
} as const;

/** A picture of a message; its content is stored once for each chat. */
export interface MessageImage {
  /** SHA-256 of its content. */
  hash: string;
  type: ImageType;
  /** Base64, in a request to a model only. */
  data?: string;
}

/** A picture to store. */
export interface StoredImage extends MessageImage {
  content: Uint8Array;
}

/** What kind of picture a file is, by how it begins; undefined for any other. */
export function imageTypeOf(content: Uint8Array): ImageType | undefined {
  const begin = String.fromCharCode(...content.subarray(0, 12));
  if (begin.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (begin.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (/^GIF8[79]a/.test(begin)) return 'image/gif';
  return /^RIFF.{4}WEBP/s.test(begin) ? 'image/webp' : undefined;
}
