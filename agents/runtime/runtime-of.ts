import type { AgentContext } from './agent-context.ts';
import { AgentError } from './agent-error.ts';
import type { AskOnce } from './ask-model.ts';
import type { ObserveTool } from './observe-tool.ts';
import type { Recorder } from './record/recorder.ts';
import type { RunStore } from './record/run-store.ts';

/** What the runtime knows of a context beyond what agents use. */
export interface Runtime {
  store: RunStore;
  recorder: Recorder;
  ask: AskOnce;
  observe: ObserveTool;
  /** How many lists of steps are running; they keep checkpoints of their own. */
  stepsRunning: number;
}

const runtimes = new WeakMap<AgentContext, Runtime>();

export function setRuntime(context: AgentContext, runtime: Runtime): void {
  runtimes.set(context, runtime);
}

/** @throws {AgentError} `InvalidDefinition` if the context was not made by Longhaul. */
export function runtimeOf(context: AgentContext<never, never> | AgentContext): Runtime {
  const runtime = runtimes.get(context as AgentContext);
  if (runtime) return runtime;
  throw new AgentError(
    'InvalidDefinition',
    'Expected the context that an agent was given, got another object. `createTestContext` of longhaul/testing makes one for tests.',
  );
}
