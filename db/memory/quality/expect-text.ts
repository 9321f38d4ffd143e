import type { NewMemory } from '../memory.ts';

/** Thrown for a memory without text: it would match every question and say nothing. */
export class EmptyMemoryError extends Error {
  override name = 'EmptyMemoryError';
  constructor(id: string) {
    super(
      `Expected a text of the memory "${id}", got nothing but spaces. Nothing was written; give it what it is to say.`,
    );
  }
}

/**
 * A memory without text, as an earlier version wrote them, is accepted only if it has expired, so that it can be given an end.
 * @throws {EmptyMemoryError}
 */
export function expectText({ id, text, expiresAt }: Pick<NewMemory, 'id' | 'text' | 'expiresAt'>): void {
  if (text.trim() || (expiresAt && expiresAt <= new Date())) return;
  throw new EmptyMemoryError(id);
}
