import type { AnswerDelta, RequestedToolCall } from '../../domain/run/message.ts';

/** A piece of a tool call, as chat completions stream it. */
export interface ToolCallPiece {
  /** Which call of the answer it belongs to, by the server's numbering. */
  index?: number | undefined;
  id?: string | null | undefined;
  function?: { name?: string | null | undefined; arguments?: string | null | undefined } | undefined;
}

/**
 * Assembles the tool calls of an answer that arrive in pieces. Servers number them from 0, or from 1 if text came first, or give each the same number
 * or none; a new id begins another call, and pieces without an id belong to the call that began last under their number.
 */
export class ToolCallPieces {
  readonly calls: RequestedToolCall[] = [];
  /** The index in `calls` by the server's number. */
  #places = new Map<number | undefined, number>();

  add(piece: ToolCallPiece): Extract<AnswerDelta, { type: 'tool-call' }> {
    let place = this.#places.get(piece.index) ?? this.calls.length;
    const known = this.calls[place];
    if (known && piece.id && known.id && piece.id !== known.id) place = this.calls.length;
    this.#places.set(piece.index, place);
    const call = this.calls[place] ?? { id: '', name: '', arguments: '' };
    this.calls[place] = call;
    call.id ||= piece.id ?? '';
    call.name ||= piece.function?.name ?? '';
    const more = piece.function?.arguments ?? '';
    call.arguments += more;
    return { type: 'tool-call', index: place, name: call.name, arguments: more };
  }
}
