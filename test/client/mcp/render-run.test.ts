import { expect, test } from '@jest/globals';
import { renderRun } from '../../../client/mcp/render-run.ts';
import type { Transcript } from '../../../domain/run/transcript.ts';

type Run = Transcript['run'];
const run = { id: 'project-a-s1-work', role: 'code', model: 'scripted', status: 'FINISHED' } as Run;
const message = (number: number, text: string) =>
  ({
    number,
    turn: number,
    role: 'assistant',
    content: { text, toolCalls: [] },
  }) as unknown as Transcript['messages'][number];

test('messages and calls stand in their order', () => {
  const call = { id: 'c', name: 'read_file', arguments: '{"path":"a"}' };
  const calling = { ...message(2, 'I look.'), content: { text: 'I look.', toolCalls: [call] } };
  expect(renderRun({ run, messages: [message(1, 'Begin.'), calling] })).toBe(
    'project-a-s1-work: code on scripted, FINISHED\n\n#1 assistant, turn 1\nBegin.\n\n#2 assistant, turn 2\nI look.\nread_file {"path":"a"}',
  );
});

test('of a long run the end is shown, and how much is left out', () => {
  const text = renderRun({ run, messages: [message(1, 'x'.repeat(250_000)), message(2, 'The end.')] });
  expect(text).toMatch(/^\[The first 50\d{3} characters are left out.\]/);
  expect(text.endsWith('The end.')).toBe(true);
});

test.each(['initializer', 'checks'] as const)('the run of a %s is refused: it wrote sealed checks', (role) => {
  expect(() => renderRun({ run: { ...run, role }, messages: [] })).toThrow('wrote sealed checks');
});
