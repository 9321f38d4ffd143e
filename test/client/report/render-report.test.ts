import { expect, test } from '@jest/globals';
import { countFeatures } from '../../../client/project/project-status.ts';
import type { SessionSummary } from '../../../client/project/session-summaries.ts';
import type { Report } from '../../../client/report/read-report.ts';
import { renderReport } from '../../../client/report/render-report.ts';
import type { FeatureState } from '../../../db/features/features.ts';

const at = new Date('2026-03-01T10:00:00Z');

function feature(name: string, changes: Partial<FeatureState>): FeatureState {
  return {
    id: `p/${name}`,
    name,
    position: 0,
    description: `What ${name} does.`,
    category: 'functional',
    priority: 5,
    verification: { steps: [], protectedPaths: [], sealed: [] },
    dependencies: [],
    status: 'NOT_STARTED',
    attempts: 0,
    blockedByDependency: false,
    reason: null,
    lesson: null,
    sessionId: null,
    commit: null,
    ...changes,
  };
}

const session: SessionSummary = {
  id: 'p-s1',
  number: 1,
  feature: 'entries',
  attempt: 1,
  status: 'PASSED',
  reason: 'It works.\n# not a heading of the report',
  commit: 'abcdef0123456789',
  filesChanged: Array.from({ length: 23 }, (_, index) => `file-${index}`),
  tokens: 44_812,
  turns: 8,
  startedAt: at,
  endedAt: new Date(at.getTime() + 75_000),
  runs: [],
};

function makeReport(changes: Partial<Report> = {}): Report {
  const features = [
    feature('entries', { status: 'PASSING', commit: 'abcdef0123456789' }),
    feature('report', { status: 'BLOCKED', attempts: 3, reason: '3 attempts did not pass;\nthe last: a | b' }),
  ];
  return {
    status: {
      id: 'project-spend-ab12cd',
      name: 'spend',
      goal: '# spend\n\nKeep track.',
      folder: '/home/me/spend',
      network: 'packages',
      status: 'WAITING',
      reason: '"report" is BLOCKED.',
      overBudget: null,
      features: countFeatures(features),
      current: null,
      sessions: 1,
      tokens: { input: 40_000, cached: 0, output: 4_812, reasoning: 0 },
      cost: { usd: 0.25, unpricedTurns: 0, unknownCalls: 0 },
      turns: 8,
      startedAt: at,
      endedAt: null,
      elapsedMs: 90_000,
    },
    branch: 'main',
    summary: null,
    features,
    sessions: [session],
    decisions: [],
    checkpoints: [],
    present: [],
    reverts: [],
    ...changes,
  };
}

const lines = (report: Report) => renderReport(report).split('\n');

test('open problems have their own section', () => {
  const text = renderReport(makeReport());
  expect(text).toContain('1 of 2 features passing after 1 session\n');
  expect(text).toContain(
    '## Open problems\n\n- The project is WAITING: "report" is BLOCKED.\n- **report** is BLOCKED: 3 attempts did not pass; the last: a | b\n',
  );
});

test('headings of a goal or session do not become headings of the report', () => {
  expect(lines(makeReport()).filter((line) => line.startsWith('# '))).toEqual(['# spend']);
});

test('a session shows its commit, turns, tokens, duration and files', () => {
  const text = renderReport(makeReport());
  expect(text).toContain('### 1. entries, attempt 1: PASSED\n\ncommit `abcdef01`, 8 turns, 44.8k tokens, 1 min 15 s\n');
  expect(text).toContain('`file-19` and 3 more');
});

test('a cell cannot break out of its table', () => {
  const checkpoint = {
    id: 'p/c1',
    projectId: 'p',
    lineageId: 'l',
    sequence: 1,
    commit: 'abcdef0123',
    title: 'a | b\nc',
    sessionId: null,
    featureId: null,
    workflowId: null,
    workflowRunId: null,
    createdAt: at,
  };
  const report = makeReport({ checkpoints: [checkpoint], present: [] });
  expect(lines(report).find((line) => line.startsWith('| c1'))).toMatch(
    /^\| c1 \| abcdef01 \| a \\\| b c \| .* \| reverted \|$/,
  );
});

test('a revert is in the report, with the ref of the previous state', () => {
  const report = makeReport({
    reverts: [{ checkpoint: 'p/c2', keptRef: 'refs/longhaul/reverted/p/1', reason: 'wrong way', at }],
  });
  expect(renderReport(report)).toMatch(
    /back to c2 \(wrong way\); the previous state is at `refs\/longhaul\/reverted\/p\/1`/,
  );
});
