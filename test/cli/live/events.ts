import type { LiveState } from '../../../cli/live/live-state.ts';
import { createLiveState, reduceLiveState } from '../../../cli/live/live-state.ts';
import type { ProjectEvent, ProjectEventData } from '../../../domain/run/event.ts';

export const startedAt = new Date('2026-03-01T10:00:00Z');

/** Events numbered from 1, one second apart. */
export function eventsOf(...all: ProjectEventData[]): ProjectEvent[] {
  return all.map((data, index) => ({
    projectId: 'project-spend-ab12cd',
    number: index + 1,
    createdAt: new Date(startedAt.getTime() + (index + 1) * 1000),
    data,
  }));
}

export function stateAfter(...all: ProjectEventData[]): LiveState {
  return eventsOf(...all).reduce(
    (state, event) => reduceLiveState(state, { kind: 'event', event }),
    createLiveState({ name: 'spend', startedAt }),
  );
}

export const sessionStarted = {
  type: 'session.started',
  session: 'p-s1',
  number: 1,
  feature: 'entries',
  attempt: 1,
} as const;

export const runStarted = { type: 'run.started', run: 'p-s1-work', role: 'code', model: 'gpt' } as const;

export function turnCompleted(turn: number, tools: Array<{ tool: string; preview: string }>) {
  return {
    type: 'assistant.message',
    run: 'p-s1-work',
    turn,
    text: '',
    tools,
    inputTokens: 100,
    outputTokens: 10,
    durationMs: 5,
  } as const;
}

export function toolCompleted(turn: number, tool: string) {
  return {
    type: 'tool.result',
    run: 'p-s1-work',
    turn,
    position: 0,
    tool,
    failed: false,
    preview: 'exit 0',
  } as const;
}

export function featureChanged(
  feature: string,
  status: 'PASSING' | 'FAILING' | 'IN_PROGRESS' | 'BLOCKED',
  reason?: string,
) {
  return {
    type: 'feature.changed',
    feature,
    from: null,
    status,
    attempts: status === 'FAILING' ? 1 : 0,
    reason,
  } as const;
}
