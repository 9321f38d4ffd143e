export {
  type ParallelSteps,
  parallel,
  type Step,
  type StepContext,
  type StepOptions,
  type StepsResult,
  step,
} from '../../agents/runtime/steps/step.ts';
export type { RunInput } from '../../client/agent-runs/run-options.ts';
export type { RunResult } from '../../client/agent-runs/run-view.ts';
export type { AgentMessage, Artifacts, RunUsage } from '../../domain/agent-run/message.ts';
export { type RunAgentOptions, runAgent } from './run-agent.ts';
export type { StepEvent } from './step-event.ts';
export { steps, type WorkflowStepsOptions } from './steps.ts';
