import { expect, test } from '@jest/globals';
import { type FactRows, formatFacts } from '../../../activities/compaction/format-facts.ts';

const numbered = (count: number, name: string) => Array.from({ length: count }, (_, index) => `${name}-${index + 1};`);
const decisionsOf = (titles: string[]) =>
  titles.map((title) => ({ title, context: 'Sums.', choice: 'Cents.', reasoning: 'Exact.' }));

/** More of each list than a summary had room for once. */
const many: FactRows = {
  steered: numbered(3, 'steered'),
  chatted: numbered(90, 'said').map((text) => `${text} ${'word '.repeat(600)}`),
  earlierDecisions: decisionsOf(numbered(90, 'earlier')),
  decisions: decisionsOf(numbered(90, 'own')),
  notes: numbered(90, 'note'),
  problems: numbered(25, 'command').map((command) => ({
    command,
    output: `head of ${command}${'x'.repeat(9_000)}tail`,
  })),
  files: { changed: numbered(90, 'changed'), read: numbered(200, 'read') },
  hasDiff: true,
};
const nothing: FactRows = {
  steered: [],
  chatted: [],
  earlierDecisions: [],
  decisions: [],
  notes: [],
  problems: [],
  files: { changed: [], read: [] },
  hasDiff: true,
};

test('facts are not cut while there is space', () => {
  const told = Object.values(formatFacts(many, 1_000_000)).join('\n');
  const names = ['steered', 'said', 'earlier', 'own', 'note', 'command', 'changed', 'read'];
  const missing = names.flatMap((name) =>
    numbered({ steered: 3, command: 25, read: 200 }[name] ?? 90, name).filter((one) => !told.includes(one)),
  );
  expect(missing).toEqual([]);
  expect(told).toContain(`    head of command-1;${'x'.repeat(9_000)}tail`);
  expect(told).not.toContain('Left out');
});

test('facts leave space for the work and say what was omitted', () => {
  const some = formatFacts(many, 420_000);
  expect(some.said).toContain('[Omitted for lack of space: 50 earlier messages.]');
  expect(some.problems).toContain('[Omitted for lack of space: 5 commands that failed earlier.]');
  expect(some.files).toContain('[Omitted for lack of space: 40 files read earlier.]');

  const few = formatFacts(many, 1);
  expect(few.decisions).toMatch(
    /^\[Omitted for lack of space: 70 earlier decisions\.\]\n- \*\*earlier-71;\*\*: Cents\./,
  );
  expect(few.said).toContain('said-90;');
  expect(few.said).not.toContain('said-80;');
  expect(few.problems).toContain('x'.repeat(1_400));
  expect(few.problems).not.toContain('x'.repeat(1_500));
});

test('facts that exist nowhere else are omitted last', () => {
  const { said, decisions, notes, files } = formatFacts(many, 1);
  const kept = [said, decisions, notes, files].join('\n');
  for (const one of [numbered(3, 'steered'), numbered(90, 'own'), numbered(90, 'note'), numbered(90, 'changed')]) {
    expect(one.filter((name) => !kept.includes(name))).toEqual([]);
  }
});

test('an empty list has no section', () => {
  expect(formatFacts(nothing, 1)).toEqual({
    said: 'Nothing.',
    decisions: 'None.',
    notes: 'None.',
    problems: 'None.',
    files: 'Changed with the file tools: none. (`git_diff` shows all changes, those of commands too.)',
  });
});

test('a chat is not told of a tool that it does not have', () => {
  expect(formatFacts({ ...nothing, hasDiff: false }, 1).files).toBe('Changed with the file tools: none.');
});
