import { isToolName, type ToolName } from '../tools/tool-declarations.ts';

/** Of the tools that ship for a run and those that were made, what its agent is given: all where it has no list of its own. */
export function selectGiven<Made extends { name: string }>(
  tools: readonly ToolName[],
  made: readonly Made[],
  agent: { tools?: string[] | undefined } | null,
): { given: readonly ToolName[]; made: Made[] } {
  const isGiven = (name: string) => agent?.tools === undefined || agent.tools.includes(name);
  // Who may make tools has those that were made.
  const isGivenMade = (name: string) => isGiven(name) || isGiven('generate_tool');
  // A tool that ships since goes before one that was made under its name.
  return { given: tools.filter(isGiven), made: made.filter(({ name }) => !isToolName(name) && isGivenMade(name)) };
}
