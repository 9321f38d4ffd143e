import type Anthropic from '@anthropic-ai/sdk';
import { ModelError } from '../../domain/model/model-error.ts';
import type { CountedSoFar, ModelAnswer, ModelUsage } from '../../domain/model/model-provider.ts';
import type { AnswerDelta } from '../../domain/run/message.ts';
import { type AnswerPart, carry } from '../conversation/carried-order.ts';
import { anthropicCarrier } from './anthropic-messages.ts';

type Carried = Anthropic.ThinkingBlock | Anthropic.RedactedThinkingBlock;
type Block =
  | { type: 'text'; text: string }
  | { type: 'tool_use'; id: string; name: string; arguments: string }
  | Carried;

/** An answer of the Messages API, assembled from its stream events. */
export class AnthropicAnswer {
  #blocks: Array<Block | undefined> = [];
  #stop: Anthropic.StopReason | undefined;
  /** Why it was refused, in the API's words. */
  #explanation = '';
  #ended = false;
  #usage: ModelUsage = { inputTokens: 0, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 0, reasoningTokens: 0 };

  /** Without the output tokens until `message_delta`: before it, only the first ones are counted. */
  get counted(): CountedSoFar {
    const { outputTokens: _, reasoningTokens: __, ...ofRequest } = this.#usage;
    return this.#stop === undefined ? ofRequest : this.#usage;
  }

  take(event: Anthropic.RawMessageStreamEvent): AnswerDelta | undefined {
    switch (event.type) {
      case 'message_start':
        this.#count(event.message.usage);
        return undefined;
      case 'content_block_start':
        return this.#begin(event.index, event.content_block);
      case 'content_block_delta':
        return this.#add(event.index, event.delta);
      case 'message_delta':
        this.#stop = event.delta.stop_reason ?? undefined;
        this.#explanation = event.delta.stop_details?.explanation ?? '';
        this.#count(event.usage);
        return this.#explanation && !this.#text ? { type: 'text', text: this.#explanation } : undefined;
      case 'message_stop':
        this.#ended = true;
        return undefined;
      default:
        return undefined;
    }
  }

  /** @throws {ModelError} if the stream ended before the answer did, or the context window is full. */
  answer(requestId: string | null): Omit<ModelAnswer, 'firstTokenMs' | 'requestId'> {
    if (!this.#ended) {
      throw new ModelError("The model's answer was cut off in the middle.", { code: 'ModelUnreachable', requestId });
    }
    if (this.#stop === 'model_context_window_exceeded') {
      throw new ModelError("The model's context window is full.", { code: 'ModelContextTooLong', requestId });
    }
    const blocks = this.#blocks.filter((block) => block !== undefined);
    const parts = blocks.flatMap(toPart);
    const carried = carry(anthropicCarrier, parts);
    return {
      text: this.#text || this.#explanation,
      toolCalls: parts.flatMap((part) => ('call' in part ? [part.call] : [])),
      finish: this.#stop === 'refusal' ? 'refusal' : this.#stop === 'max_tokens' ? 'length' : 'done',
      usage: this.#usage,
      ...(carried && { carried }),
    };
  }

  get #text(): string {
    return this.#blocks.map((block) => (block?.type === 'text' ? block.text : '')).join('');
  }

  #begin(index: number, block: Anthropic.ContentBlock): AnswerDelta | undefined {
    switch (block.type) {
      case 'text':
        this.#blocks[index] = { type: 'text', text: block.text };
        return block.text ? { type: 'text', text: block.text } : undefined;
      case 'thinking':
      case 'redacted_thinking':
        this.#blocks[index] = { ...block };
        return undefined;
      case 'tool_use':
        this.#blocks[index] = { type: 'tool_use', id: block.id, name: block.name, arguments: '' };
        return { type: 'tool-call', index, name: block.name, arguments: '' };
      default:
        return undefined; // blocks of server-side tools, which are never requested
    }
  }

  #add(index: number, delta: Anthropic.RawContentBlockDelta): AnswerDelta | undefined {
    const block = this.#blocks[index];
    if (delta.type === 'text_delta' && block?.type === 'text') {
      block.text += delta.text;
      return { type: 'text', text: delta.text };
    }
    if (delta.type === 'thinking_delta' && block?.type === 'thinking') {
      block.thinking += delta.thinking;
      return { type: 'reasoning', text: delta.thinking };
    }
    if (delta.type === 'signature_delta' && block?.type === 'thinking') block.signature += delta.signature;
    if (delta.type === 'input_json_delta' && block?.type === 'tool_use') {
      block.arguments += delta.partial_json;
      return { type: 'tool-call', index, name: block.name, arguments: delta.partial_json };
    }
    return undefined;
  }

  /** Counts are running totals; what a later event leaves out stays. The API counts cached tokens apart from the other input. */
  #count(usage: Partial<Anthropic.Usage> | Anthropic.MessageDeltaUsage): void {
    if (typeof usage.input_tokens === 'number') {
      const read = usage.cache_read_input_tokens ?? 0;
      const written = usage.cache_creation_input_tokens ?? 0;
      this.#usage.inputTokens = usage.input_tokens + read + written;
      this.#usage.cachedTokens = read;
      this.#usage.cacheWriteTokens = written;
    }
    if (typeof usage.output_tokens === 'number') this.#usage.outputTokens = usage.output_tokens;
    this.#usage.reasoningTokens = usage.output_tokens_details?.thinking_tokens ?? this.#usage.reasoningTokens;
  }
}

/** Thinking that was cut off at the limit has no signature, without which the API refuses it. */
function toPart(block: Block): AnswerPart[] {
  switch (block.type) {
    case 'text':
      return [{ text: block.text }];
    case 'tool_use':
      return [{ call: { id: block.id, name: block.name, arguments: block.arguments || '{}' } }];
    case 'thinking':
      return block.signature ? [{ item: block }] : [];
    case 'redacted_thinking':
      return [{ item: block }];
  }
}
