import { AgentError } from '../agent-error.ts';
import type { Agent } from './define-agent.ts';

const registered = new Map<string, Agent>();

/**
 * Makes an agent of this program known by its key.
 * @throws {AgentError} `DuplicateName`
 */
export function registerAgent(agent: Agent): void {
  if (registered.has(agent.key)) {
    throw duplicate(agent);
  }
  registered.set(agent.key, agent);
}

/** @throws {AgentError} `UnknownAgent` naming those that there are. */
export function getAgent(key: string): Agent {
  const agent = registered.get(key);
  if (agent) return agent;
  const known = [...registered.keys()].join(', ') || 'none';
  throw new AgentError('UnknownAgent', `Expected the key of a registered agent (${known}), got "${key}".`);
}

/** In the order in which they were registered. */
export function listAgents(): Agent[] {
  return [...registered.values()];
}

/** Whether there was such an agent. */
export function unregisterAgent(key: string): boolean {
  return registered.delete(key);
}

export function clearAgents(): void {
  registered.clear();
}

/**
 * The agents and those that they call, each once.
 * @throws {AgentError} `DuplicateName` if two of them have the same key.
 */
export function withCalled(agents: readonly Agent[]): Agent[] {
  const all = new Map<string, Agent>();
  const add = (agent: Agent) => {
    const other = all.get(agent.key);
    if (other === agent) return;
    if (other) throw duplicate(agent);
    all.set(agent.key, agent);
    agent.agents.forEach(add);
  };
  agents.forEach(add);
  return [...all.values()];
}

function duplicate({ key }: Agent): AgentError {
  return new AgentError('DuplicateName', `There is an agent "${key}" already. Give one of them another key.`);
}
