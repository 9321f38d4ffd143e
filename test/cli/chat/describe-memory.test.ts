import { expect, test } from '@jest/globals';
import { formatMemoriesOf } from '../../../cli/chat/describe-memory.ts';
import type { ChatExchange } from '../../../client/index.ts';

const exchange: ChatExchange = {
  ...{ id: 'm1', number: 1, said: 'Tea\nor coffee?', status: 'ANSWERED', reason: null, answer: 'Tea.' },
  steps: [
    { type: 'tool', tool: 'write_memory', arguments: '{}', failed: false, result: 'Remembered as w1.' },
    { type: 'tool', tool: 'write_memory', arguments: '{}', failed: true, result: 'It seems to contain a key.' },
    { type: 'text', text: 'Tea.' },
  ],
  recalled: ['m-tea', 'm-old'],
  recollections: [
    {
      ...{ id: 'm-tea', kind: 'fact', text: 'Ada drinks tea.', score: 0.912, why: 'vector', similarity: 0.7 },
      ...{ source: 'chat-a-r1', createdAt: '2026-01-02T03:04:05.000Z' },
    },
  ],
  recallFailure: 'Memory search took longer than 3 s.',
  kept: [
    { kind: 'fact', text: 'Ada is tired.', replaces: null, id: 'k0', outcome: 'added', superseded: ['m-awake'] },
    { kind: 'task', text: 'Buy tea.', replaces: null, id: 'k1', outcome: 'known', superseded: [] },
    {
      ...{ kind: 'fact', text: '(left out)', replaces: null, id: 'k2', outcome: 'refused', superseded: [] },
      reason: 'It seems to contain a key.',
    },
  ],
  extraction: { status: 'DONE', reason: null },
  createdAt: new Date(0),
  endedAt: new Date(0),
};

test('the kind of an imported memory cannot control the terminal', () => {
  const [recollection] = exchange.recollections;
  if (!recollection) throw new Error('Expected a recollection.');
  const lines = formatMemoriesOf({ ...exchange, recollections: [{ ...recollection, kind: 'fact\u001b[2J' }] });
  expect(lines.join('\n')).not.toContain('\u001b');
});

test('/memory shows what was recalled and learned, why and from where', () => {
  expect(formatMemoriesOf(exchange)).toEqual([
    '> Tea or coffee?',
    '  recalled: Ada drinks tea. (fact of 2026-01-02, from chat-a-r1; by meaning, score 0.91, similarity 0.70; m-tea)',
    '  recalled m-old',
    '  recall failed: Memory search took longer than 3 s.',
    '  written by the agent: Remembered as w1.',
    '  learned: Ada is tired. (fact, k0, replacing m-awake)',
    '  known already: Buy tea. (task, k1)',
    '  not kept: fact. It seems to contain a key.',
  ]);
});
