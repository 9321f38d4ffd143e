import type { MessageImage } from '../../domain/chat/images.ts';

/** A picture as OpenAI's APIs take it. */
export function dataUrl({ type, data = '' }: MessageImage): string {
  return `data:${type};base64,${data}`;
}
