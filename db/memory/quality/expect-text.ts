import type { NewMemory } from '../memory.ts';

/** Thrown for a memory without text: it would match every question and say nothing. */
export class EmptyMemoryError extends Error {
  override name = 'EmptyMemoryError';
  constructor() {
    super('Expected the text of a memory, got an empty one. Nothing was written; give it what it is to say.');
  }
}

/**
 * A memory without text, as an earlier version wrote them, is accepted only if it has expired, so that it can be given an end.
 * @throws {EmptyMemoryError}
 */
export function expectText({ text, expiresAt }: Pick<NewMemory, 'text' | 'expiresAt'>): void {
  if (text.trim() || (expiresAt && expiresAt <= new Date())) return;
  throw new EmptyMemoryError();
}
