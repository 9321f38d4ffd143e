import { findSecret } from '../../secrets/find-secrets.ts';
import type { FactType } from '../knowledge.ts';
import { StoreError } from '../store-error.ts';

/** @throws {StoreError} `InvalidInput` naming what cannot be stored. */
export function expectKnowledge({
  text,
  confidence,
  tags = [],
}: {
  text?: string | undefined;
  confidence?: number | undefined;
  tags?: string[] | undefined;
}): void {
  if (text !== undefined && !text.trim()) throw invalid('Expected a text, got an empty one.');
  if (confidence !== undefined && !(confidence >= 0 && confidence <= 1))
    throw invalid(`Expected a confidence from 0 to 1, got ${confidence}.`);
  const secret = findSecret([text ?? '', ...tags].join('\n'));
  if (secret !== undefined)
    throw invalid(`The text seems to contain ${secret}. Write it without the secret, and name where that is kept.`);
}

export function unknownFact(id: string): StoreError {
  return new StoreError('UnknownFact', `No fact has the id "${id}". \`facts()\` lists them.`);
}

/** The type of a fact that was written without one: by what kind of memory it is, and who finds it. */
export function typeOfUntyped(kind: string, scope: 'global' | 'project' | 'session'): FactType {
  if (kind === 'preference') return 'preference';
  return ({ global: 'user', project: 'project', session: 'context' } as const)[scope];
}

function invalid(message: string): StoreError {
  return new StoreError('InvalidInput', `${message} Nothing was written.`);
}
