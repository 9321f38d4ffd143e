import type { Database } from '../../db/connection/database.ts';
import { readImages } from '../../db/files/images.ts';
import { maxImages } from '../../domain/chat/images.ts';
import { ModelError } from '../../domain/model/model-error.ts';
import type { Message } from '../../domain/run/message.ts';
import type { RunOwner } from '../../domain/run/run-owner.ts';

/**
 * Adds the contents of a conversation's latest pictures, for one request; of earlier ones the message says that they are not shown. To a model that
 * takes none (`textOnly`), none is shown.
 * @throws {ModelError} `ModelTakesNoImages` if the latest message has pictures for such a model.
 */
export async function loadImages(
  database: Database,
  owner: RunOwner,
  messages: Message[],
  textOnly: string | undefined,
): Promise<Message[]> {
  const places = messages.flatMap(({ content }, index) => (content.images ?? []).map(({ hash }) => ({ index, hash })));
  if (places.length === 0) return messages;
  const asked = messages.findLast(({ role, content }) => role === 'user' && content.isNote !== true);
  if (textOnly !== undefined && asked?.content.images?.length)
    throw new ModelError(`The model ${textOnly} takes no pictures.`, { code: 'ModelTakesNoImages' });
  const shown = textOnly === undefined ? places.slice(-maxImages.perRequest) : [];
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
    const note = gone > 0 ? `\n\n[${gone} picture${gone === 1 ? ' is' : 's are'} not shown.]` : '';
    return { ...message, content: { ...message.content, text: `${message.content.text}${note}`, images: kept } };
  });
}
