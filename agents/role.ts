/** Roles that have an agent; `models/model-role.ts` has those that name a model. */
export const roles = ['initializer', 'planner', 'code', 'testing', 'documentation', 'research', 'chat'] as const;

/** What an agent is for; names its prompts, its tools and its model. */
export type Role = (typeof roles)[number];
