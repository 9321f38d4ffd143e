import type { ModelAnswer } from '../domain/model/model-provider.ts';
import type { AnswerDelta } from '../domain/run/message.ts';
import { answerTooLong, unreadableAnswer } from './guard-answers.ts';

/** Of one answer: about four times the 128,000 tokens that models give at most. */
const maxCharacters = 2_000_000;

/** Calls of one answer. Of these, 32 are executed; all are stored and compared with others. */
const maxCalls = 1_000;

/** The characters of text, thoughts and arguments of an answer that is arriving. */
export class AnswerSize {
  #characters = 0;

  /** @throws {ModelError} if they are too many, or if the server sent something else in their place. */
  add(delta: AnswerDelta): void {
    if (delta.type === 'tool-call') {
      requireTexts(delta.name);
      requireFewCalls(delta.index + 1);
      this.#characters += textLength(delta.arguments);
    } else {
      this.#characters += textLength(delta.text);
    }
    requireShort(this.#characters);
  }
}

/**
 * Checks what will be stored of a whole answer; names, ids and what is carried along are in it too.
 * @throws {ModelError} if it is too long, or has something else where texts belong: what a server sends has the types of its protocol only by claim.
 */
export function checkAnswer({ text, toolCalls, carried }: Pick<ModelAnswer, 'text' | 'toolCalls' | 'carried'>): void {
  requireFewCalls(toolCalls.length);
  const texts = [text, ...toolCalls.flatMap(({ id, name, arguments: given }) => [id, name, given])];
  requireTexts(...texts);
  const carriedLength = carried ? JSON.stringify(carried.items).length : 0;
  requireShort(texts.reduce((sum, one) => sum + one.length, carriedLength));
}

function textLength(text: string): number {
  requireTexts(text);
  return text.length;
}

function requireTexts(...texts: unknown[]): void {
  for (const text of texts)
    if (typeof text !== 'string') throw unreadableAnswer(`expected a text in it, got ${JSON.stringify(text)}`);
}

/** Also fails for what is no number, which no comparison would ever find too large. */
function requireShort(characters: number): void {
  if (!(characters <= maxCharacters)) throw answerTooLong(`it has more than ${maxCharacters} characters`);
}

function requireFewCalls(count: number): void {
  if (!(count <= maxCalls)) throw answerTooLong(`it has more than ${maxCalls} tool calls`);
}
