import { expect, test } from '@jest/globals';
import { type MessageRequest, maxMessageLength } from '../../../domain/chat/messages.ts';
import { validateMessage } from '../../../workflows/chat/messages.ts';

test('an invalid message sent through Temporal is refused at once', () => {
  const fits = { id: 'm1', text: 'Hello' };
  for (const request of [fits, { ...fits, id: 'é'.repeat(200) }, { ...fits, text: 'x'.repeat(maxMessageLength) }]) {
    expect(() => validateMessage(request)).not.toThrow();
  }
  for (const request of [
    ...[undefined, null, 'Hello', {}, { id: 'm1' }, { text: 'Hello' }, { ...fits, text: 7 }, { ...fits, id: 7 }],
    ...['', ' ', 'a\0b', 'x'.repeat(201)].map((id) => ({ ...fits, id })),
    ...['', ' \n', 'x'.repeat(maxMessageLength + 1)].map((text) => ({ ...fits, text })),
  ]) {
    expect(() => validateMessage(request as MessageRequest)).toThrow(
      expect.objectContaining({
        type: 'InvalidInput',
        nonRetryable: true,
        message: expect.stringMatching(/^Expected \{ "id": "<your own>", "text": "<message>" \} .{0,400}$/),
      }),
    );
  }
});
