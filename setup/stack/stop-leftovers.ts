import { runningServices, type StackState } from '../../config/stack-record.ts';
import { endProcess } from '../processes/end-process.ts';
import type { StackEvent } from './stack-event.ts';

/** Stops what a killed supervisor left running, last started first. The caller holds the stack's lock. */
export async function stopLeftovers(state: StackState, onEvent: (event: StackEvent) => void): Promise<void> {
  for (const service of runningServices(state).reverse()) {
    await endProcess(service, { signal: service.stop.signal as NodeJS.Signals, graceMs: service.stop.graceMs });
    onEvent({ type: 'leftover-stopped', service: service.name, pid: service.pid });
  }
}
