import { expect, test } from '@jest/globals';
import { nameFailure } from '../../activities/name-failure.ts';
import { EmptyMemoryError } from '../../db/memory/quality/expect-text.ts';
import { SecretInMemoryError } from '../../db/memory/quality/secrets.ts';

test('a memory that is refused for what it says would be written again and again for hours', () => {
  for (const refusal of [new SecretInMemoryError('m', 'an npm token'), new EmptyMemoryError('m')]) {
    expect(nameFailure(refusal)).toMatchObject({ type: 'InvalidInput', nonRetryable: true, message: refusal.message });
  }
});
