import { oncePer } from '../../config/once-per.ts';
import type { ModelMessage } from '../../domain/model/model-provider.ts';

const none = Buffer.alloc(0);

/**
 * Turns messages into bytes: the JSON of the items that `toItems` makes of one, each after a comma. It does so once for each message: a conversation is
 * sent whole with every call, but only grows, and its messages are the same objects while a worker caches it.
 */
export function createMessageBytes(toItems: (message: ModelMessage) => object[]): (message: ModelMessage) => Buffer {
  return oncePer((message) => {
    const items = toItems(message).map((item) => `,${JSON.stringify(item)}`);
    return Buffer.from(items.join(''));
  });
}

/**
 * The bytes of `JSON.stringify(parameters)` with a conversation in the list `name`. The list must be empty in the parameters, and come before their
 * other lists and objects.
 */
export function toBody<Parameters extends object>(
  parameters: Parameters,
  name: keyof Parameters & string,
  messages: readonly Buffer[],
): Buffer {
  const json = JSON.stringify(parameters);
  const begin = `"${name}":[`;
  const place = json.indexOf(`${begin}]`) + begin.length;
  const [first = none, ...others] = messages.filter(({ length }) => length > 0);
  return Buffer.concat([
    Buffer.from(json.slice(0, place)),
    first.subarray(1),
    ...others,
    Buffer.from(json.slice(place)),
  ]);
}
