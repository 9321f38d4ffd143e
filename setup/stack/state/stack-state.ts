import { isRunning } from '../../../config/process-identity.ts';
import {
  readStateFile,
  runningServices,
  type ServiceRecord,
  type StackAddresses,
  type StackState,
  stateFile,
} from '../../../config/stack-record.ts';
import { memoryOf } from '../../processes/process-memory.ts';
import { writeFileAtomically } from '../../write-file-atomically.ts';

/** One line of `longhaul ps`. */
export interface ServiceReport {
  name: string;
  state: ServiceRecord['state'];
  pid: number | null;
  ports: Record<string, number>;
  url: string | null;
  /** Milliseconds since its process started; null if none runs. */
  uptimeMs: number | null;
  restarts: number;
  /** Resident bytes including all its child processes; null if none runs. */
  memoryBytes: number | null;
  log: string;
}

/**
 * The present state of a stack: `left-over` if its supervisor was killed and services of it still run (`up` and `down` both stop them), `absent`
 * before the first start.
 */
export interface StackReport {
  status: StackState['status'] | 'left-over' | 'absent';
  supervisor: number | null;
  services: ServiceReport[];
  /** Without the password of the database. */
  addresses: StackAddresses;
  failure?: string;
}

/** Reports on the stack of a home. */
export async function readStack(home: string): Promise<StackReport> {
  const state = readStateFile(home);
  if (state === undefined) return { status: 'absent', supervisor: null, services: [], addresses: {} };
  const alive = new Set(runningServices(state).map(({ pid }) => pid));
  const memory = await memoryOf([...alive]);
  const supervised = state.supervisor !== null && isRunning(state.supervisor);
  const services = state.services.map((service): ServiceReport => {
    const runs = service.pid !== null && alive.has(service.pid);
    return {
      name: service.name,
      state: runs || supervised ? service.state : service.state === 'failed' ? 'failed' : 'stopped',
      pid: runs ? service.pid : null,
      ports: service.ports,
      url: runs ? service.url : null,
      uptimeMs: runs && service.startedAt !== null ? Date.now() - Date.parse(service.startedAt) : null,
      restarts: service.restarts,
      memoryBytes: runs && service.pid !== null ? (memory.get(service.pid) ?? null) : null,
      log: service.log,
    };
  });
  return {
    status: statusNow(state, supervised, alive.size > 0),
    supervisor: supervised ? (state.supervisor?.pid ?? null) : null,
    services,
    addresses: supervised ? state.addresses : {},
    ...(state.failure === undefined ? {} : { failure: state.failure }),
  };
}

function statusNow(state: StackState, supervised: boolean, anyRuns: boolean): StackReport['status'] {
  if (supervised) return state.status;
  if (anyRuns) return 'left-over';
  return state.status === 'failed' ? 'failed' : 'stopped';
}

export function writeStateFile(home: string, state: StackState): void {
  writeFileAtomically(stateFile(home), `${JSON.stringify(state, null, 2)}\n`);
}
