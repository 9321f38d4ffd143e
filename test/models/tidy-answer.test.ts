import { expect, test } from '@jest/globals';
import { withOwnIds } from '../../models/tidy-answer.ts';

const call = (id: string) => ({ id, name: 'read_file', arguments: '{}' });

test('calls with no id, the same id, or one of an earlier answer would share a result', () => {
  const ids = withOwnIds([call('a'), call('a'), call(''), call('old'), call('b')], ['old'], '7').map(({ id }) => id);
  expect(ids).toEqual(['a', 'call_7_1', 'call_7_2', 'call_7_3', 'b']);
});
