import type { CarriedItems, MessageContent } from '../../domain/run/message.ts';

/**
 * A part of OpenRouter's `reasoning_details` (text, a summary, or encrypted data), or of LiteLLM's `thinking_blocks` (`thinking` as Anthropic's, or
 * `redacted_thinking`).
 */
interface Thought {
  type?: string;
  index?: number | null;
  format?: string | null;
  text?: string | null;
  summary?: string | null;
  thinking?: string | null;
  signature?: string | null;
}

/**
 * Reasoning that some servers stream and require back: DeepSeek and others `reasoning_content`, OpenRouter `reasoning_details`, LiteLLM
 * `thinking_blocks`, vLLM and Ollama `reasoning`, which OpenRouter has beside its own.
 */
export interface ThoughtDelta {
  reasoning?: string | null;
  reasoning_content?: string | null;
  reasoning_details?: Thought[] | null;
  thinking_blocks?: Thought[] | null;
}

/** The reasoning of an answer, in the fields in which it is sent back. */
interface Thoughts {
  reasoning?: string;
  reasoning_content?: string;
  reasoning_details?: Thought[];
  thinking_blocks?: Thought[];
  /** Google's signatures, by index of the tool call. */
  extra_content?: unknown[];
}

/** Assembles the reasoning of a chat completion from its chunks. */
export class ChatThoughts {
  #thoughts: Thoughts = {};

  take({
    reasoning,
    reasoning_content: content,
    reasoning_details: details,
    thinking_blocks: blocks,
  }: ThoughtDelta): void {
    if (reasoning) this.#thoughts.reasoning = (this.#thoughts.reasoning ?? '') + reasoning;
    // Even if it stays empty: DeepSeek requires the field with tool calls.
    if (typeof content === 'string') {
      this.#thoughts.reasoning_content = (this.#thoughts.reasoning_content ?? '') + content;
    }
    for (const detail of details ?? []) this.#add('reasoning_details', detail);
    for (const block of blocks ?? []) this.#add('thinking_blocks', block);
  }

  /** `place` is the index of the tool call in the answer. */
  takeOfCall(place: number, extraContent: unknown): void {
    if (!extraContent) return;
    this.#thoughts.extra_content ??= [];
    this.#thoughts.extra_content[place] = extraContent;
  }

  /** Undefined if there was no reasoning. */
  carried(carrier: string): CarriedItems | undefined {
    const { reasoning, reasoning_details: allDetails, thinking_blocks: allBlocks, ...others } = this.#thoughts;
    // Beside another field it says the same in words alone, which may lack a signature.
    const isAlone = !others.reasoning_content && !allDetails && !allBlocks;
    const [details, blocks] = [allDetails, allBlocks].map((all) => all?.filter((thought) => !isCutOff(thought)));
    const item: Thoughts = {
      ...others,
      ...(reasoning && isAlone && { reasoning }),
      ...(details?.length && { reasoning_details: details }),
      ...(blocks?.length && { thinking_blocks: blocks }),
    };
    return Object.keys(item).length ? { provider: carrier, items: [item] } : undefined;
  }

  /** Texts are streamed in pieces; a signature ends one. */
  #add(field: 'reasoning_details' | 'thinking_blocks', piece: Thought): void {
    this.#thoughts[field] ??= [];
    const last = this.#thoughts[field].at(-1);
    if (!last || last.type !== piece.type || last.index !== piece.index || last.signature || isEncrypted(piece)) {
      this.#thoughts[field].push({ ...piece });
      return;
    }
    const { text, summary, thinking, ...rest } = piece;
    for (const [name, value] of Object.entries(rest)) if (value) Object.assign(last, { [name]: value });
    if (text) last.text = (last.text ?? '') + text;
    if (summary) last.summary = (last.summary ?? '') + summary;
    if (thinking) last.thinking = (last.thinking ?? '') + thinking;
  }
}

/** The reasoning of an answer if it came from `carrier`. */
export function thoughtsOf({ carried }: MessageContent, carrier: string | null): Thoughts {
  return carried?.provider === carrier ? (carried.items[0] as Thoughts) : {};
}

function isEncrypted({ type }: Thought): boolean {
  return type !== 'reasoning.text' && type !== 'reasoning.summary' && type !== 'thinking';
}

/** Cut off by the token limit: Anthropic rejects thinking without a signature. */
function isCutOff({ type, format, signature }: Thought): boolean {
  const isSigned = type === 'thinking' || (type === 'reasoning.text' && format?.startsWith('anthropic'));
  return Boolean(isSigned) && !signature;
}
