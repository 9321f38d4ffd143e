import { mkdirSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import getPort, { clearLockedPorts, portNumbers } from 'get-port';
import { type HomeLock, tryLock } from '../home-lock.ts';
import type { ServiceDefinition } from './service-definition.ts';
import type { StackEvent } from './stack-event.ts';
import type { StackState } from './stack-state.ts';

/** Ports next to the usual one are tried first: they are easy to recognize, and not among those that the system gives away itself. */
const neighbours = 50;

/** The ports of each service, by its name; no other stack of this user chooses them until they are released. */
export interface ChosenPorts {
  of(service: string): Record<string, number>;
  release(): void;
}

/** Chooses each service's ports on the loopback interface: those of last time, else its own first choice, else any that is free. */
export async function choosePorts(
  services: ServiceDefinition[],
  last: StackState | undefined,
  onEvent: (event: StackEvent) => void,
): Promise<ChosenPorts> {
  const chosen = new Map<string, Record<string, number>>();
  const locks: HomeLock[] = [];
  const taken = new Set<number>();
  clearLockedPorts(); // a port that this process gave away earlier may be wanted again
  for (const service of services) {
    const remembered = last?.services.find(({ name }) => name === service.name)?.ports ?? {};
    const ports: Record<string, number> = {};
    for (const [name, preferred] of Object.entries(service.ports)) {
      const first = remembered[name] ?? preferred;
      const wanted = [first, preferred, ...portNumbers(preferred + 1, preferred + neighbours)];
      const { port, lock } = await takePort(wanted, taken);
      if (port !== first) onEvent({ type: 'port-taken', service: service.name, port: first, chosen: port });
      locks.push(lock);
      ports[name] = port;
    }
    chosen.set(service.name, ports);
  }
  return {
    of: (service) => chosen.get(service) ?? {},
    release() {
      for (const lock of locks) lock.release();
    },
  };
}

/** The first port wanted that is free and not promised to a stack that has yet to listen on it; adds to `taken` what it looked at. */
async function takePort(wanted: Iterable<number>, taken: Set<number>): Promise<{ port: number; lock: HomeLock }> {
  const folder = join(tmpdir(), `longhaul-ports-${userInfo().uid}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (;;) {
    const port = await getPort({ port: wanted, host: '127.0.0.1', exclude: taken });
    taken.add(port);
    const lock = tryLock(join(folder, String(port)));
    if ('release' in lock) return { port, lock };
  }
}
