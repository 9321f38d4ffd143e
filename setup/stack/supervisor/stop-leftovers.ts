import { endProcess } from '../../processes/end-process.ts';
import { isRunning } from '../../processes/process-identity.ts';
import type { StackEvent } from '../state/stack-event.ts';
import type { ServiceRecord, StackState } from '../state/stack-state.ts';

/** The services of a state whose own process still runs, not another with its pid. */
export function runningServices(state: StackState): Array<ServiceRecord & { pid: number; startMark: string }> {
  return state.services.filter(
    (service): service is ServiceRecord & { pid: number; startMark: string } =>
      service.pid !== null &&
      service.startMark !== null &&
      isRunning({ pid: service.pid, startMark: service.startMark }),
  );
}

/** Stops what a killed supervisor left running, last started first. The caller holds the stack's lock. */
export async function stopLeftovers(state: StackState, onEvent: (event: StackEvent) => void): Promise<void> {
  for (const service of runningServices(state).reverse()) {
    await endProcess(service, { signal: service.stop.signal as NodeJS.Signals, graceMs: service.stop.graceMs });
    onEvent({ type: 'leftover-stopped', service: service.name, pid: service.pid });
  }
}
