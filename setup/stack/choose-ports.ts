import getPort, { clearLockedPorts, portNumbers } from 'get-port';
import type { ServiceDefinition } from './service-definition.ts';
import type { StackEvent } from './stack-event.ts';
import type { StackState } from './stack-state.ts';

/** Ports next to the usual one are tried first: they are easy to recognize, and not among those that the system gives away itself. */
const NEIGHBOURS = 50;

/** Chooses each service's ports on the loopback interface: those of last time, else its own first choice, else any that is free. */
export async function choosePorts(
  services: ServiceDefinition[],
  last: StackState | undefined,
  onEvent: (event: StackEvent) => void,
): Promise<Map<string, Record<string, number>>> {
  const chosen = new Map<string, Record<string, number>>();
  const taken = new Set<number>();
  clearLockedPorts(); // a port that this process gave away earlier may be wanted again
  for (const service of services) {
    const remembered = last?.services.find(({ name }) => name === service.name)?.ports ?? {};
    const ports: Record<string, number> = {};
    for (const [name, preferred] of Object.entries(service.ports)) {
      const first = remembered[name] ?? preferred;
      const port = await getPort({
        port: [first, preferred, ...portNumbers(preferred + 1, preferred + NEIGHBOURS)],
        host: '127.0.0.1',
        exclude: taken,
      });
      if (port !== first) onEvent({ type: 'port-taken', service: service.name, port: first, chosen: port });
      taken.add(port);
      ports[name] = port;
    }
    chosen.set(service.name, ports);
  }
  return chosen;
}
