import { expect, test } from '@jest/globals';
import { withUniqueIds } from '../../../models/conversation/unique-call-ids.ts';

const call = (id: string) => ({ id, name: 'read_file', arguments: '{}' });

test('calls without an id or with a repeated id get their own results', () => {
  const ids = withUniqueIds([call('a'), call('a'), call(''), call('old'), call('b')], (id) => id === 'old', '7').map(
    ({ id }) => id,
  );
  expect(ids).toEqual(['a', 'call_7_1', 'call_7_2', 'call_7_3', 'b']);
});

test('a generated id never equals one of a model', () => {
  const ids = withUniqueIds([call('call_7_1'), call('')], (id) => id === 'call_7_0', '7').map(({ id }) => id);
  expect(ids).toEqual(['call_7_1', 'call_7_1_1']);
});
