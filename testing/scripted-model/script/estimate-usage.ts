import type { CompletionUsage } from 'openai/resources/completions';
import type { ChatRequest, ChatRequestMessage } from '../wires/chat-request.ts';
import type { Answer } from './answer.ts';

/** Characters per token of English text and code, approximately (OpenAI's rule of thumb). */
const charactersPerToken = 4;

/** Estimates the tokens a real model would have counted, from the text of the request (tools included) and the answer. */
export function estimateUsage(request: ChatRequest, answer: Answer): CompletionUsage {
  const prompt = messagesLength(request.messages) + (request.tools ? JSON.stringify(request.tools).length : 0);
  const said = (answer.text ?? '') + answer.calls.map((call) => call.tool + call.arguments).join('');
  const promptTokens = Math.ceil(prompt / charactersPerToken);
  const completionTokens = Math.ceil(said.length / charactersPerToken);
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
}

/** Sums lengths without joining the texts, which would be slow for a long conversation. */
function messagesLength(messages: ChatRequestMessage[]): number {
  return messages.reduce(
    (sum, { content, tool_calls: calls }) =>
      sum +
      content.length +
      calls.reduce((all, { function: { name, arguments: text } }) => all + name.length + text.length, 0),
    0,
  );
}
