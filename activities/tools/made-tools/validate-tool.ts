import { readCandidate, storeRefusals } from '../../../db/made-tools/candidates.ts';
import { withHeartbeat } from '../../heartbeat.ts';
import type { MadeToolDependencies } from './made-tools.ts';
import { validateMadeTool } from './validate-made-tool.ts';

/** The activity `validateTool`: validates a candidate, whose id is also its workflow's, and stores the refusals or that there are none. */
export function createValidateTool({ database, sandboxes, defaultImage, agents }: MadeToolDependencies) {
  return ({ id }: { id: string }): Promise<void> =>
    withHeartbeat(async ({ cancel, detach }) => {
      const { tool } = await readCandidate(database, id);
      const host = { sandboxes, image: defaultImage };
      const refusals = await validateMadeTool(host, tool, agents.tools, { id, owner: id, cancel, detach });
      await storeRefusals(database, id, refusals);
    });
}
