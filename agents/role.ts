export const roles = ['initializer', 'planner', 'code', 'testing', 'documentation'] as const;

/** What an agent is for; names its prompt, its tools and, later, its model. */
export type Role = (typeof roles)[number];
