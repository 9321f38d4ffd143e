import type { NewMemory } from '../memory.ts';

/** Thrown when a memory is to be written that says nothing: it would fit every question and tell nobody anything. */
export class EmptyMemoryError extends Error {
  override name = 'EmptyMemoryError';
  constructor(id: string) {
    super(
      `Expected a text of the memory "${id}", got nothing but spaces. Nothing was written; give it what it is to say.`,
    );
  }
}

/**
 * Those without a text that an earlier version wrote may be given an end.
 * @throws {EmptyMemoryError}
 */
export function expectText({ id, text, expiresAt }: Pick<NewMemory, 'id' | 'text' | 'expiresAt'>): void {
  if (text.trim() || (expiresAt && expiresAt <= new Date())) return;
  throw new EmptyMemoryError(id);
}
