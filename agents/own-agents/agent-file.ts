/** The file in an agent's folder that defines it. */
export const agentFile = 'agent.md';
