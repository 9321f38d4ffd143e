import { readCandidate, storeRefusals } from '../../../db/made-tools/candidates.ts';
import { withHeartbeat } from '../../heartbeat.ts';
import type { MadeToolDependencies } from './made-tools.ts';
import { validateMadeTool } from './validate-made-tool.ts';

/** The activity `validateTool`: validates a candidate, whose id is also its workflow's, and stores why it is refused, or that it is not. */
export function createValidateTool({ database, sandboxes, defaultImage, agents }: MadeToolDependencies) {
  return ({ id }: { id: string }): Promise<void> =>
    withHeartbeat(async ({ cancel, detach }) => {
      const { tool } = await readCandidate(database, id);
      const host = { sandboxes, image: defaultImage };
      const refusals = await validateMadeTool(host, tool, agents.tools, { id, owner: id, cancel, detach });
      await storeRefusals(database, id, refusals);
    });
}
