import type { CarriedItems, MessageContent } from '../db/transcript/message.ts';

/** A part of OpenRouter's `reasoning_details`: text, a summary, or encrypted data. */
interface ReasoningDetail {
  type?: string;
  index?: number | null;
  format?: string | null;
  text?: string | null;
  summary?: string | null;
  signature?: string | null;
}

/** A part of LiteLLM's `thinking_blocks`, as Anthropic's: text with a signature, or `redacted_thinking`. */
interface ThinkingBlock {
  type?: string;
  thinking?: string | null;
  signature?: string | null;
}

/**
 * Reasoning that some servers stream and require back: DeepSeek and others `reasoning_content`, OpenRouter `reasoning_details`, LiteLLM
 * `thinking_blocks`.
 */
export interface ThoughtDelta {
  reasoning_content?: string | null;
  reasoning_details?: ReasoningDetail[] | null;
  thinking_blocks?: ThinkingBlock[] | null;
}

/** The reasoning of an answer, in the fields in which it is sent back. */
interface Thoughts {
  reasoning_content?: string;
  reasoning_details?: ReasoningDetail[];
  thinking_blocks?: ThinkingBlock[];
  /** Google's signatures, by index of the tool call. */
  extra_content?: unknown[];
}

/** Assembles the reasoning of a chat completion from its chunks. */
export class ChatThoughts {
  #thoughts: Thoughts = {};

  take({ reasoning_content: content, reasoning_details: details, thinking_blocks: blocks }: ThoughtDelta): void {
    // Even if it stays empty: DeepSeek requires the field with tool calls.
    if (typeof content === 'string') {
      this.#thoughts.reasoning_content = (this.#thoughts.reasoning_content ?? '') + content;
    }
    for (const detail of details ?? []) this.#add(detail);
    for (const block of blocks ?? []) this.#addBlock(block);
  }

  /** `place` is the index of the tool call in the answer. */
  takeOfCall(place: number, extraContent: unknown): void {
    if (!extraContent) return;
    this.#thoughts.extra_content ??= [];
    this.#thoughts.extra_content[place] = extraContent;
  }

  /** Undefined if there was no reasoning. */
  carried(carrier: string): CarriedItems | undefined {
    const { reasoning_details: all, thinking_blocks: thinking, ...others } = this.#thoughts;
    const details = all?.filter((detail) => !isCutOff(detail));
    const blocks = thinking?.filter((block) => block.type !== 'thinking' || block.signature);
    const item: Thoughts = {
      ...others,
      ...(details?.length && { reasoning_details: details }),
      ...(blocks?.length && { thinking_blocks: blocks }),
    };
    return Object.keys(item).length ? { provider: carrier, items: [item] } : undefined;
  }

  /** Text and summaries are streamed in pieces; a signature ends one. */
  #add(detail: ReasoningDetail): void {
    this.#thoughts.reasoning_details ??= [];
    const last = this.#thoughts.reasoning_details.at(-1);
    if (!last || last.type !== detail.type || last.index !== detail.index || last.signature || isEncrypted(detail)) {
      this.#thoughts.reasoning_details.push({ ...detail });
      return;
    }
    const { text, summary, ...rest } = detail;
    for (const [name, value] of Object.entries(rest)) if (value) Object.assign(last, { [name]: value });
    if (text) last.text = (last.text ?? '') + text;
    if (summary) last.summary = (last.summary ?? '') + summary;
  }

  #addBlock(block: ThinkingBlock): void {
    this.#thoughts.thinking_blocks ??= [];
    const last = this.#thoughts.thinking_blocks.at(-1);
    if (block.type !== 'thinking' || last?.type !== 'thinking' || last.signature) {
      this.#thoughts.thinking_blocks.push({ ...block });
      return;
    }
    last.thinking = (last.thinking ?? '') + (block.thinking ?? '');
    if (block.signature) last.signature = block.signature;
  }
}

/** The reasoning of an answer if it came from `carrier`. */
export function thoughtsOf({ carried }: MessageContent, carrier: string | null): Thoughts {
  return carried?.provider === carrier ? (carried.items[0] as Thoughts) : {};
}

function isEncrypted({ type }: ReasoningDetail): boolean {
  return type !== 'reasoning.text' && type !== 'reasoning.summary';
}

/** Cut off by the token limit: Anthropic rejects thinking without a signature. */
function isCutOff({ type, format, signature }: ReasoningDetail): boolean {
  return type === 'reasoning.text' && Boolean(format?.startsWith('anthropic')) && !signature;
}
