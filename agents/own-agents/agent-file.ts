/** The file in an agent's folder that defines it. */
export const agentFile = 'agent.md';

/** Means the assistant that ships where an agent can be named; none of one's own is made under it. */
export const assistantName = 'default';
