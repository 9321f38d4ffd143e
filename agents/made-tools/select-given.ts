import { isToolName, type ToolName } from '../tools/tool-declarations.ts';

/** Which of a run's shipped tools and of the made ones its agent gets: all, if it has no list of its own. */
export function selectGiven<Made extends { name: string }>(
  tools: readonly ToolName[],
  made: readonly Made[],
  agent: { tools?: string[] | undefined } | null,
): { given: readonly ToolName[]; made: Made[] } {
  const isGiven = (name: string) => agent?.tools === undefined || agent.tools.includes(name);
  // An agent that may make tools gets all made ones.
  const isGivenMade = (name: string) => isGiven(name) || isGiven('generate_tool');
  // A shipped tool takes precedence over a made tool of the same name.
  return { given: tools.filter(isGiven), made: made.filter(({ name }) => !isToolName(name) && isGivenMade(name)) };
}
