import { expect, test } from '@jest/globals';
import { type ToolCallPiece, ToolCallPieces } from '../../../models/openai/tool-call-pieces.ts';

const begin = (index: number | undefined, id: string | undefined, name: string): ToolCallPiece => ({
  index,
  id,
  function: { name, arguments: '' },
});
const more = (index: number | undefined, text: string): ToolCallPiece => ({ index, function: { arguments: text } });

function collect(pieces: ToolCallPiece[]) {
  const collected = new ToolCallPieces();
  const deltas = pieces.map((piece) => collected.add(piece));
  return { calls: collected.calls.map(({ name, arguments: text }) => `${name} ${text}`), deltas };
}

const both = ['read {"path":"a"}', 'list {"path":"b"}'];

test('calls that a gateway counts from 1 stay whole', () => {
  const pieces = [begin(1, 'x', 'read'), more(1, '{"path"'), more(1, ':"a"}'), begin(2, 'y', 'list')];
  const { calls, deltas } = collect([...pieces, more(2, '{"path":"b"}')]);
  expect(calls).toEqual(both);
  expect(deltas.map(({ index }) => index)).toEqual([0, 0, 0, 1, 1]);
});

test.each([0, undefined])('calls that all have the number %p stay separate', (index) => {
  const pieces = [begin(index, 'x', 'read'), more(index, '{"path"'), more(index, ':"a"}'), begin(index, 'y', 'list')];
  expect(collect([...pieces, more(index, '{"path":"b"}')]).calls).toEqual(both);
});

test('calls whose pieces alternate keep their arguments', () => {
  const pieces = [begin(0, 'x', 'read'), begin(1, 'y', 'list'), more(0, '{"path":'), more(1, '{"path":"b"}')];
  expect(collect([...pieces, more(0, '"a"}')]).calls).toEqual(both);
});

test('calls without ids stay separate', () => {
  const pieces = [begin(0, undefined, 'read'), more(0, '{"path":"a"}'), begin(1, undefined, 'list')];
  expect(collect([...pieces, more(1, '{"path":"b"}')]).calls).toEqual(both);
});
