import { expect, test } from '@jest/globals';
import type { ModelMessage } from '../../domain/model/model-provider.ts';
import { toAnthropicMessages } from '../../models/anthropic/anthropic-messages.ts';
import { createOpenAiChat } from '../../models/openai/openai-chat.ts';
import { createOpenAiResponses } from '../../models/openai/openai-responses.ts';

const image = { hash: 'h', type: 'image/png' as const, data: 'iVBORw==' };
const messages: ModelMessage[] = [{ role: 'user', content: { text: 'What is it?', images: [image] } }];

/** The messages of the request that a provider sends. */
async function sent(create: typeof createOpenAiChat): Promise<unknown> {
  let body = '{}';
  const provider = create({
    ...{ name: 'openai', apiKey: 'k', headers: false },
    async fetch(_, init) {
      body = String(init?.body);
      return new Response('{}', { status: 400 });
    },
  });
  const { signal } = new AbortController();
  await provider.complete({ model: 'm', messages, tools: [], labels: {}, signal }).catch(() => {});
  const { messages: asked, input } = JSON.parse(body) as { messages?: unknown; input?: unknown };
  return asked ?? input;
}

test('each protocol gets a picture before the words, as it takes it', async () => {
  const url = 'data:image/png;base64,iVBORw==';
  expect(await sent(createOpenAiChat)).toEqual([
    {
      role: 'user',
      content: [
        { type: 'image_url', image_url: { url } },
        { type: 'text', text: 'What is it?' },
      ],
    },
  ]);
  expect(await sent(createOpenAiResponses)).toEqual([
    {
      role: 'user',
      content: [
        { type: 'input_image', detail: 'auto', image_url: url },
        { type: 'input_text', text: 'What is it?' },
      ],
    },
  ]);
  expect(toAnthropicMessages(messages).messages[0]?.content).toMatchObject([
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw==' } },
    { type: 'text', text: 'What is it?' },
  ]);
});
