/** Roles that have an agent; `models/model-role.ts` lists those that have a model setting. */
export const roles = [
  'initializer',
  'planner',
  'checks',
  'changes',
  'code',
  'testing',
  'documentation',
  'reviewer',
  'research',
  'chat',
  'agent',
] as const;

/** What an agent is for; selects its prompts, its tools and its model. */
export type Role = (typeof roles)[number];
