import { CancellationScope, defineSignal, setHandler } from '@temporalio/workflow';
import type { AgentRunRequest } from '../../domain/agent-run/run-request.ts';
import type { PauseGate } from '../agent/pause-gate.ts';
import { runChild } from './run-child.ts';

/** Sent by a coded agent's process: the agent calls another one. */
const startRunSignal = defineSignal<[AgentRunRequest]>('startRun');
/** Sent by it as well: the agent makes a call in the sandbox. */
const makeCallSignal = defineSignal<[{ call: string }]>('makeCall');

/** What a coded agent has its workflow do. */
export interface OutsideWork {
  /** Cancels what is left, and waits until it has ended. */
  end(): Promise<void>;
}

/** Starts runs as children and makes calls in the sandbox, each once, however often the signal comes. */
export function createOutsideWork(gate: PauseGate, inSandbox: (call: string) => Promise<void>): OutsideWork {
  const started = new Map<string, Promise<void>>();
  let scope = new CancellationScope();
  setHandler(startRunSignal, (request) => start(request.runId, () => runChild(request, { gate, tries: 1 })));
  setHandler(makeCallSignal, ({ call }) => start(call, () => inSandbox(call)));

  function start(id: string, work: () => Promise<void>): void {
    if (started.has(id)) return;
    const running = scope.run(work);
    running.catch(() => {}); // a row says how it ended
    started.set(id, running);
  }

  return {
    async end() {
      scope.cancel();
      await Promise.allSettled(started.values());
      started.clear();
      scope = new CancellationScope();
    },
  };
}
