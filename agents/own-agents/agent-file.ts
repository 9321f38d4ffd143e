/** The file of an agent's folder that says who it is. */
export const agentFile = 'agent.md';
