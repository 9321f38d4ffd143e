import { expect, test } from '@jest/globals';
import { offeredTools } from '../../agents/agent-definition.ts';
import type { Role } from '../../domain/run/role.ts';

const offered = (role: Role, search?: object) => offeredTools({ role, owner: { kind: 'project' } }, { search });

test.each(['code', 'testing', 'documentation'] as const)(
  'the %s agent of a project reads pages, as in a chat',
  (role) => {
    expect(offered(role)).toContain('fetch_url');
    expect(offered(role)).not.toContain('search_web');
    expect(offered(role, { provider: 'brave' })).toContain('search_web');
  },
);

test.each(['initializer', 'planner', 'checks', 'changes', 'reviewer'] as const)(
  'the %s agent, which plans or judges, does not',
  (role) => {
    expect(offered(role, { provider: 'brave' })).not.toContain('fetch_url');
    expect(offered(role, { provider: 'brave' })).not.toContain('search_web');
  },
);
