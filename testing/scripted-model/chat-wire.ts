import { chatCompletion, chatCompletionChunks } from './chat-completion.ts';
import { parseChatRequest } from './chat-request.ts';
import { sendError } from './send.ts';
import { serverSentEvent, type Wire } from './wire.ts';

/** OpenAI's chat completions. */
export const chatWire: Wire = {
  read: parseChatRequest,
  whole: chatCompletion,
  events(parts, request) {
    const includeUsage = request.stream_options?.include_usage === true;
    return [
      ...chatCompletionChunks({ ...parts, includeUsage }).map((chunk) => serverSentEvent(chunk)),
      serverSentEvent('[DONE]'),
    ];
  },
  sendError,
  requestIdHeader: 'x-request-id',
};
