import { MadeToolRefusedError } from '../../agents/made-tools/refusal.ts';
import { MadeToolNameError } from '../../db/errors.ts';
import { addMadeTool, expectNameFits, findVersions, type MadeToolVersion } from '../../db/made-tools/made-tools.ts';
import { offerTool } from '../../db/made-tools/offered-tools.ts';
import { validateMadeTool } from '../../sandbox/made-tools/validate-made-tool.ts';
import type { Tools } from '../tools/tool.ts';
import type { MadeToolDependencies } from './made-tools.ts';

/** The tool `generate_tool`; a retry finds the version that an earlier attempt added, or the sandbox that it was tested in. */
export function createGenerateTool(dependencies: MadeToolDependencies): Pick<Tools, 'generate_tool'> {
  const { database, sandboxes, defaultImage, agents } = dependencies;
  return {
    async generate_tool({ new_version: newVersion = false, ...tool }, { run, id, cancel, detach }) {
      try {
        const [added] = await findVersions(database, [id]);
        const version = added ?? (await make());
        return {
          text: tellMade(version),
          display: `${version.name}, version ${version.version}`,
          alsoStore: { events: [], rows: (query) => [offerTool(query, run.runId, version)] },
        };
      } catch (error) {
        if (error instanceof MadeToolRefusedError || error instanceof MadeToolNameError)
          return { failed: true, text: error.message };
        throw error;
      }

      async function make(): Promise<MadeToolVersion> {
        await expectNameFits(database, tool.name, newVersion);
        const owner = run.chatId ?? run.projectId;
        const host = { sandboxes, image: defaultImage };
        await validateMadeTool(host, tool, agents.tools, { id, owner, cancel, detach });
        cancel.throwIfAborted();
        return addMadeTool(database, { id, tool, author: run.runId, newVersion });
      }
    },
  };
}

function tellMade({ name, version }: MadeToolVersion): string {
  return `Made: its tests pass, and you have ${name}${version > 1 ? ` (version ${version})` : ''} from your next call on.`;
}
