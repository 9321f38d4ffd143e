import { expect, test } from '@jest/globals';
import { renderSandboxes } from '../../../cli/render/render-sandboxes.ts';

const owner = { project: 'project-notes', owner: 'project-notes-s1', purpose: 'session' } as const;
const usage = { cpuPercent: 123.4, memoryBytes: 456_000_000, processes: 12, diskBytes: 1_200_000_000, files: 34_567 };

test('each sandbox is listed with its memory, CPU, processes, disk and files', () => {
  const createdAt = new Date(Date.now() - 65_000);
  const shown = renderSandboxes([
    { name: 'project-notes-s1', owner, running: true, createdAt, usage },
    { name: 'project-notes-s2', owner, running: true, createdAt, usage: { ...usage, diskBytes: undefined } },
    { name: 'project-notes-s3', owner, running: false, createdAt, usage: undefined },
  ]);
  const [first, second, third] = shown.split('\n');
  expect(first).toMatch(
    /^project-notes-s1 +session +for 1 min 05 s +456 MB memory +123% CPU +12 processes +1,200 MB on disk +34,567 files$/,
  );
  expect(second).toContain('over its limit on disk');
  expect(third).toMatch(/session +stopped/);
});

test('a host without sandboxes is no error', () => {
  expect(renderSandboxes([])).toBe('There are no sandboxes.');
});
