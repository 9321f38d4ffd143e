import { DatabaseError } from '../../../db/database-error.ts';
import { addMadeTool, expectNameFits, findVersions } from '../../../db/made-tools/made-tools.ts';
import { offerTool } from '../../../db/made-tools/offered-tools.ts';
import type { MadeToolVersion } from '../../../domain/tool/made-tool.ts';
import { MadeToolRefusedError, type Refusal } from '../../../domain/tool/refusal.ts';
import type { Tools } from '../tool.ts';
import type { MadeToolDependencies } from './made-tools.ts';
import { validateMadeTool } from './validate-made-tool.ts';

/** The tool `generate_tool`; a retry finds the version that an earlier attempt added, or the sandbox in which it was tested. */
export function createGenerateTool(dependencies: MadeToolDependencies): Pick<Tools, 'generate_tool'> {
  const { database, sandboxes, defaultImage, agents } = dependencies;
  return {
    async generate_tool({ new_version: newVersion = false, ...tool }, { run, id, cancel, detach }) {
      try {
        const [added] = await findVersions(database, [id]);
        const version = added ?? (await make());
        return {
          text: describeMade(version),
          display: `${version.name}, version ${version.version}`,
          alsoStore: { events: [], rows: (query) => [offerTool(query, run.runId, version)] },
        };
      } catch (error) {
        if (error instanceof MadeToolRefusedError)
          return { failed: true, text: error.message, display: describeBriefly(error.refusals) };
        if (error instanceof DatabaseError && error.code === 'MadeToolNameUnusable')
          return { failed: true, text: error.message };
        throw error;
      }

      async function make(): Promise<MadeToolVersion> {
        await expectNameFits(database, { name: tool.name, newVersion, author: run.runId });
        const host = { sandboxes, image: defaultImage };
        const refusals = await validateMadeTool(host, tool, agents.tools, { id, owner: run.owner.id, cancel, detach });
        if (refusals.length) throw new MadeToolRefusedError(tool.name, refusals);
        cancel.throwIfAborted();
        return addMadeTool(database, { id, tool, author: run.runId, newVersion });
      }
    },
  };
}

function describeMade({ name, version }: MadeToolVersion): string {
  return `Created: its tests pass, and you can call ${name}${version > 1 ? ` (version ${version})` : ''} from your next turn on.`;
}

/** Maximum characters shown of a reason; its end is kept, which says what came. */
const reasonShown = 60;

/** The first refusal, short enough for a part of a line. */
function describeBriefly([first, ...others]: Refusal[]): string {
  if (!first) return 'refused';
  const { part, line, reason } = first;
  const said = reason.length > reasonShown ? `…${reason.slice(-reasonShown).toWellFormed()}` : reason;
  return `refused: ${part}${line === undefined ? '' : `, line ${line}`}: ${said}${others.length ? ` (and ${others.length} more)` : ''}`;
}
