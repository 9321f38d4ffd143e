import { storableText } from '../../storable-text.ts';
import { StoreError } from '../store-error.ts';

const maxLength = 500;

/** @throws {StoreError} `InvalidInput` */
export function expectKey(key: string): void {
  if (key.length < 1 || key.length > maxLength)
    throw new StoreError('InvalidInput', `Expected a key of 1 to ${maxLength} characters, got ${key.length}.`);
  if (storableText(key) !== key)
    throw new StoreError('InvalidInput', 'Expected a key without NUL characters and lone surrogates. Choose another.');
}
