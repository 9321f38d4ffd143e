import type { Role } from '../run/role.ts';
import type { Category } from './statuses.ts';

/** The specialist for features of a category. */
export function agentForCategory(category: Category): Role {
  if (category === 'documentation') return 'documentation';
  if (category === 'testing') return 'testing';
  return 'code';
}
