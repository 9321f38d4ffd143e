/** The file in an agent's folder that defines it. */
export const agentFile = 'agent.md';

/** Selects the built-in assistant where an agent can be named; `longhaul agents create` refuses it as a name. */
export const assistantName = 'default';
