import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CompletionUsage } from 'openai/resources/completions';
import type { Answer } from '../script/answer.ts';
import type { ChatRequest } from './chat-request.ts';

/** An answer and what every protocol sends with it. */
export interface AnswerParts {
  answer: Answer;
  model: string;
  usage: CompletionUsage;
}

export interface WireError {
  message: string;
  type: string;
  code: string | null;
}

/** One provider's protocol: reads its requests and encodes its answers. */
export interface Wire {
  /** @throws {RequestRefusedError} for what the provider itself would refuse. */
  read(body: string, request: IncomingMessage): ChatRequest;
  whole(parts: AnswerParts, request: ChatRequest): unknown;
  /** The events of a stream, each as sent on the wire. */
  events(parts: AnswerParts, request: ChatRequest): string[];
  sendError(response: ServerResponse, status: number, error: WireError, headers?: Record<string, string>): void;
  /** The response header for the request's id. */
  requestIdHeader: string;
}

/** A value as one server-sent event; `name` is for protocols that name their events. */
export function serverSentEvent(data: unknown, name?: string): string {
  return `${name ? `event: ${name}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
}

/** Characters per piece of a stream: small, so that most scripted answers have several. */
const pieceLength = 64;

export function pieces(text: string): string[] {
  const count = Math.ceil(text.length / pieceLength);
  return Array.from({ length: count }, (_, index) => text.slice(index * pieceLength, (index + 1) * pieceLength));
}
