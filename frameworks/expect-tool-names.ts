import { AgentError } from '../agents/runtime/agent-error.ts';

/** @throws {AgentError} `UnknownTool` if one of the names in `once` is not that of a tool: a slip there would have a call made twice. */
export function expectToolNames(once: readonly unknown[], tools: readonly string[]): void {
  const unknown = once.find((name) => !tools.some((one) => one === name));
  if (unknown === undefined) return;
  throw new AgentError(
    'UnknownTool',
    `once: expected names of the tools (${tools.join(', ') || 'none'}), got "${unknown}".`,
  );
}
