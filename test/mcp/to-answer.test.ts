import { expect, test } from '@jest/globals';
import { toAnswer } from '../../mcp/to-answer.ts';

test('texts are joined, and what is no text is named', () => {
  const content = [
    { type: 'text' as const, text: 'One.' },
    { type: 'image' as const, mimeType: 'image/png', data: 'AAAA' },
    { type: 'resource' as const, resource: { uri: 'file:///two', text: 'Two.' } },
    { type: 'resource_link' as const, uri: 'file:///three', name: 'three' },
  ];
  expect(toAnswer({ content })).toEqual({
    text: 'One.\n\n[image: image/png, 3 bytes, not shown]\n\nTwo.\n\n[resource_link: file:///three, not shown]',
    failed: false,
  });
});

test('structured content stands for a missing text', () => {
  expect(toAnswer({ content: [], structuredContent: { sum: 3 } })).toEqual({ text: '{"sum":3}', failed: false });
});

test('a long answer is cut, and says so', () => {
  const { text, failed } = toAnswer({ content: [{ type: 'text', text: 'x'.repeat(30_010) }], isError: true });
  expect(text).toMatch(/x\n\[10 more characters are left out\]$/);
  expect(failed).toBe(true);
});
