import { fence } from '../../../agents/fence.ts';
import { checkArguments } from '../../../agents/made-tools/check-parameters.ts';
import { selectGiven } from '../../../agents/made-tools/select-given.ts';
import type { ToolName } from '../../../agents/tools/tool-declarations.ts';
import { findVersions, person } from '../../../db/made-tools/made-tools.ts';
import { isStillAllowed, noteUse } from '../../../db/made-tools/offered-tools.ts';
import { findRun } from '../../../db/transcript/transcript.ts';
import type { RunAgent } from '../../../domain/project/settings.ts';
import type { RequestedToolCall } from '../../../domain/run/message.ts';
import type { MadeToolVersion } from '../../../domain/tool/made-tool.ts';
import { formatReport } from '../../../sandbox/made-tools/format-report.ts';
import { runMadeTool } from '../../../sandbox/made-tools/run-made-tool.ts';
import { inToolSandbox } from '../../../sandbox/made-tools/tool-sandbox.ts';
import type { Dependencies } from '../../dependencies.ts';
import { parseJson } from '../parse-arguments.ts';
import type { ToolContext, ToolResult } from '../tool.ts';

/** The tools of a run: built-in ones, and made ones that were offered to it. */
export interface GivenTools {
  given: readonly ToolName[];
  made: MadeToolVersion[];
}

export type MadeToolDependencies = Pick<Dependencies, 'database' | 'sandboxes' | 'defaultImage'> & {
  agents: Pick<Dependencies['agents'], 'tools'>;
};

/** Finds and calls the made tools of runs. */
export function createMadeTools(dependencies: MadeToolDependencies) {
  const { database, sandboxes, defaultImage, agents } = dependencies;
  return { given, givenTo, call };

  /** Selects what a run's model is offered from its built-in tools and the made ones. */
  async function given(
    tools: readonly ToolName[],
    { madeTools, agent }: { madeTools: string[]; agent: RunAgent | null },
  ): Promise<GivenTools> {
    return selectGiven(tools, await find(madeTools), agent);
  }

  async function givenTo(runId: string, tools: readonly ToolName[]): Promise<GivenTools> {
    const run = await findRun(database, runId);
    return given(tools, { madeTools: run?.madeTools ?? [], agent: run?.agent ?? null });
  }

  /** In the order in which they were offered, so that the providers' prompt caches stay valid. */
  async function find(ids: string[]): Promise<MadeToolVersion[]> {
    const versions = new Map((await findVersions(database, ids)).map((version) => [version.id, version]));
    return ids.flatMap((id) => versions.get(id) ?? []);
  }

  /** Calls a made tool in a sandbox of the call's own; its use is recorded together with the result. */
  async function call(
    tool: MadeToolVersion,
    { arguments: text }: RequestedToolCall,
    { run, id, cancel, detach }: ToolContext,
  ): Promise<ToolResult> {
    if (!(await isStillAllowed(database, tool))) {
      return {
        failed: true,
        text: `The person disabled or removed the made tool "${tool.name}". Continue without it.`,
      };
    }
    const read = parseJson(tool.name, text);
    if ('complaint' in read) return { failed: true, text: read.complaint };
    const { value: input } = read;
    const complaint = checkArguments(tool.parameters, input);
    if (complaint !== undefined) {
      return { failed: true, text: `The arguments of ${tool.name} are invalid. ${complaint}` };
    }
    const host = { sandboxes, image: defaultImage, memoryMegabytes: agents.tools.memoryMegabytes };
    const report = await inToolSandbox(host, { id, owner: run.owner.id, detach }, (sandbox) =>
      runMadeTool(sandbox, { id: 'call', tool, given: input }, agents.tools, { cancel, detach }),
    );
    cancel.throwIfAborted();
    const { text: reported, error } = formatReport(report, agents.tools);
    const failed = error !== undefined;
    // The error may quote the input, and a conversation without memory must leave no trace.
    const outcome = { failed, error: run.memory === false ? undefined : error };
    return {
      text: fence(
        `the made tool ${tool.name}, which ${authorOf(tool)} made`,
        reported,
        'The tool returned an empty text.',
      ),
      ...(reported && { display: reported }),
      failed,
      alsoStore: { events: [], rows: (query) => [noteUse(query, tool.id, outcome)] },
    };
  }
}

function authorOf({ author }: MadeToolVersion): string {
  return author === person ? 'a person' : `an agent (${author})`;
}
