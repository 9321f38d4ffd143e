import type { Database } from '../../db/connection/database.ts';
import { readImages } from '../../db/files/images.ts';
import { maxImages } from '../../domain/chat/images.ts';
import type { Message } from '../../domain/run/message.ts';
import type { RunOwner } from '../../domain/run/run-owner.ts';

/** Adds the contents of a conversation's latest pictures, for one request; of earlier ones the message says that they are no longer shown. */
export async function loadImages(database: Database, owner: RunOwner, messages: Message[]): Promise<Message[]> {
  const places = messages.flatMap(({ content }, index) => (content.images ?? []).map(({ hash }) => ({ index, hash })));
  if (places.length === 0) return messages;
  const shown = places.slice(-maxImages.perRequest);
  const contents = await readImages(database, owner.id, [...new Set(shown.map(({ hash }) => hash))]);
  const left = places.length - shown.length;
  let passed = 0;
  return messages.map((message) => {
    const { images } = message.content;
    if (!images) return message;
    const kept = images.flatMap(({ hash, type }) => {
      passed += 1;
      const content = passed > left ? contents.get(hash) : undefined;
      return content ? [{ hash, type, data: Buffer.from(content).toString('base64') }] : [];
    });
    const gone = images.length - kept.length;
    const note = gone > 0 ? `\n\n[${gone} earlier picture${gone === 1 ? ' is' : 's are'} no longer shown.]` : '';
    return { ...message, content: { ...message.content, text: `${message.content.text}${note}`, images: kept } };
  });
}
