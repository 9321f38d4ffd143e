import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { describeWhereToLook } from '../../../cli/project/ui-address.ts';
import type { ProjectStatusView } from '../../../client/project/project-status.ts';
import { readConfiguration } from '../../../config/configuration.ts';

test('a suggested command names its project if there are several', async () => {
  const home = mkdtempSync(join(tmpdir(), 'longhaul-look-'));
  try {
    const project = { id: 'project-spend-n4dr0n', folder: '/spend', status: 'COMPLETED' } as ProjectStatusView;
    const told = await describeWhereToLook(readConfiguration({ LONGHAUL_HOME: home }), project);
    expect(told).toMatch(/ npx longhaul report project-spend-n4dr0n\n.* npx longhaul status project-spend-n4dr0n /);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});
