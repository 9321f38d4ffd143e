import { findSecret } from '../../../domain/secrets/find-secrets.ts';
import type { MemoryChange, NewMemory } from '../memory.ts';
import { MemoryError } from '../memory-error.ts';

/**
 * A memory without text is accepted only if it has expired, so that it can be given an end.
 * @throws {MemoryError} `EmptyMemory`
 */
export function expectText({ text, expiresAt }: Pick<NewMemory, 'text' | 'expiresAt'>): void {
  if (text.trim() || (expiresAt && expiresAt <= new Date())) return;
  throw new MemoryError('EmptyMemory', 'Expected a memory with text, got an empty one. Nothing was written.');
}

/** @throws {MemoryError} `SecretInMemory` if the text or a tag holds one. */
export function expectNoSecret({
  id,
  text = '',
  tags = [],
}: { id: string } & Pick<MemoryChange, 'text' | 'tags'>): void {
  const secret = findSecret([text, ...tags].join('\n'));
  if (secret === undefined) return;
  throw new MemoryError(
    'SecretInMemory',
    `The memory "${id}" seems to contain ${secret} and was not stored. Write it without the secret, and name the place where the secret is stored.`,
  );
}
