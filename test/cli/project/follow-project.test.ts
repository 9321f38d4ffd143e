import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import type { CommandContext } from '../../../cli/program/command-context.ts';
import { followProject } from '../../../cli/project/follow-project.ts';
import type { ProjectHandle } from '../../../client/project/project-handle.ts';
import type { ProjectStatusView } from '../../../client/project/project-status.ts';
import { withCommandName } from '../../../config/command-name.ts';
import type { ProjectEventData } from '../../../domain/run/event.ts';
import { eventsOf, runStarted, startedAt, toolCompleted, turnCompleted } from '../live/events.ts';

const spent = "The project's budget of 3 turns is spent (3 turns)";

/** Follows a project with these events, in which nothing more happens until it is interrupted. */
async function follow(status: Partial<ProjectStatusView>, ...all: ProjectEventData[]) {
  return followFrom(0, status, ...all);
}

/** The same, with the events up to a number as they were before. */
async function followFrom(from: number, status: Partial<ProjectStatusView>, ...all: ProjectEventData[]) {
  const interrupt = new AbortController();
  const notes: string[] = [];
  const stdout = new PassThrough();
  const untilOver = (signal: AbortSignal) =>
    new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  const project = {
    id: 'p',
    status: async () => ({ id: 'p', name: 'spend', startedAt, overBudget: null, reason: null, ...status }),
    log: async () => [],
    async follow(onEvent: Parameters<ProjectHandle['follow']>[0], { signal }: { signal: AbortSignal }) {
      for (const event of eventsOf(...all)) await onEvent(event);
      setTimeout(() => interrupt.abort(), 200).unref();
      if (!signal.aborted) await untilOver(signal);
    },
    waitForEnd: ({ signal }: { signal: AbortSignal }) => untilOver(signal),
  } as unknown as ProjectHandle;
  const context = {
    environment: {},
    configuration: async () => ({ home: '/nowhere', temporal: {} }),
    stdout,
    interruptSignal: () => interrupt.signal,
    note: (line: string) => notes.push(line),
    withCommandName: (text: string) => withCommandName(text, { npm_command: 'exec' }),
  } as unknown as CommandContext;
  const { exitCode } = await followProject(context, project, { from, earlier: 0 });
  stdout.end();
  return { exitCode, notes, shown: await text(stdout) };
}

test('following ends when the budget is spent', async () => {
  const reason = `${spent}. Still to do: note.`;
  const status = { status: 'PAUSED', reason, overBudget: spent } as const;
  const { exitCode, notes, shown } = await follow(status, { type: 'project.changed', status: 'PAUSED', reason });
  expect(exitCode).toBe(3);
  expect(shown).toContain(reason);
  expect(notes).toEqual([expect.stringMatching(/^`longhaul budget p` raises the limit /)]);
});

test('following continues through a pause by a person', async () => {
  const { exitCode } = await follow({ status: 'PAUSED' }, { type: 'project.changed', status: 'PAUSED' });
  expect(exitCode).toBe(130);
});

test('following ends with what makes the project continue', async () => {
  const waits = { status: 'WAITING', reason: 'It has used its sessions: `longhaul sessions p`.' } as const;
  const { exitCode, notes, shown } = await follow(waits, { type: 'project.changed', ...waits });
  expect(exitCode).toBe(3);
  expect(shown).toContain('It has used its sessions: `npx longhaul sessions p`.');
  expect(notes).toEqual(['`longhaul resume p` continues.']);
});

test('the result of an earlier call is shown with its call', async () => {
  const turn = turnCompleted(1, [{ tool: 'run_command', preview: 'pytest -q' }]);
  const { shown } = await followFrom(2, {}, runStarted, turn, toolCompleted(1, 'run_command'));
  expect(shown).toContain('✓ run_command pytest -q → exit 0');
  expect(shown).not.toContain('turn 1');
});
