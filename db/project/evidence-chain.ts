import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { Evidence } from '../../domain/verification/evidence.ts';

/** The hash of a verdict, which covers everything but the hash itself. */
export function hashEvidence({ hash: _, ...rest }: Omit<Evidence, 'hash'> & { hash?: string }): string {
  return hashJson(rest);
}

/** SHA-256 of a value as canonical JSON (RFC 8785). */
export function hashJson(value: unknown): string {
  // Serialized twice, so that what JSON leaves out is no part of the hash.
  const text = canonicalize(JSON.parse(JSON.stringify(value))) ?? '';
  return createHash('sha256').update(text).digest('hex');
}

/** What is wrong with a project's whole chain, one sentence each. */
export function findTampering(chain: Evidence[]): string[] {
  return chain.flatMap((one, index) => {
    const before = chain[index - 1];
    const isChanged = hashEvidence(one) !== one.hash;
    const isOutOfPlace = one.number !== index + 1 || one.previous !== (before?.hash ?? null);
    return [
      ...(isChanged ? [`${one.id} was changed after it was recorded.`] : []),
      ...(isOutOfPlace
        ? [`${one.id} does not follow ${before ? before.id : 'the beginning'}: something was removed or added.`]
        : []),
    ];
  });
}
