import type { Category } from '../db/statuses.ts';
import type { Role } from './role.ts';

/** The specialist for features of a category. */
export function agentForCategory(category: Category): Role {
  if (category === 'documentation') return 'documentation';
  if (category === 'testing') return 'testing';
  return 'code';
}
