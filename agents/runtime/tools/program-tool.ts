import { z } from 'zod';
import type { DeclaredTool } from '../../../domain/agent-run/declaration.ts';
import type { AgentTool } from './define-tool.ts';

/** The one tool of an agent in code mode: a program in which the agent's tools are functions. */
export const programTool: AgentTool = {
  name: 'run_program',
  description: 'Runs a program in which your tools are functions.',
  parameters: z.object({
    code: z.string().min(1).describe('The body of an asynchronous JavaScript function; what it returns is the result.'),
  }),
  on: 'sandbox',
  hasSideEffects: true,
  requiresConfirmation: false,
  timeoutMs: undefined,
  retries: 0,
};

/** What a model reads of that tool: its functions with what they take. */
export function describeProgramTool(tools: readonly DeclaredTool[]): string {
  const functions = tools.map(
    ({ name, description, parameters }) => `- ${name}(input): ${description} input: ${JSON.stringify(parameters)}`,
  );
  return [
    'Runs a JavaScript program (Node, CommonJS) in your sandbox. Do all that one program can do in one call: loops, conditions, many calls at once by Promise.all. Return what you need, and no more; what you print comes back too. Between two calls the program has 120 s.',
    'These are global asynchronous functions in it; each takes one object, and throws where the call fails:',
    ...functions,
  ].join('\n');
}
