import { mkdirSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import getPort, { clearLockedPorts, portNumbers } from 'get-port';
import type { StackState } from '../../config/stack-record.ts';
import { type HomeLock, tryLock } from '../home-lock.ts';
import type { ServiceDefinition } from './service-definition.ts';
import type { StackEvent } from './stack-event.ts';

/** How many ports after the preferred one are tried first: they are easy to recognize, and not among those that the system assigns by itself. */
const neighbours = 50;

/** The ports of each service, by its name; until they are released, no other stack of this user chooses them. */
export interface ChosenPorts {
  of(service: string): Record<string, number>;
  release(): void;
}

/** Chooses each service's ports on the loopback interface: those of last time, else the ones it prefers, else any that are free. */
export async function choosePorts(
  services: ServiceDefinition[],
  last: StackState | undefined,
  onEvent: (event: StackEvent) => void,
): Promise<ChosenPorts> {
  const chosen = new Map<string, Record<string, number>>();
  const locks: HomeLock[] = [];
  const taken = new Set<number>();
  clearLockedPorts(); // a port that this process chose earlier may be wanted again
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

/** Takes the first wanted port that is free and not promised to a stack that has yet to listen on it; adds those it looked at to `taken`. */
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
