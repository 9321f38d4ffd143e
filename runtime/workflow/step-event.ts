import type { AgentRuntimeEventData } from '../../domain/run/event.ts';

/** What happens to a step, and how far all are. */
export type StepEvent = Extract<AgentRuntimeEventData, { type: `step.${string}` | 'progress.update' }>;
