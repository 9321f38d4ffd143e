import { submitTool } from '../../../domain/agent-run/declaration.ts';
import type { Prompts } from '../../load-prompts.ts';

/** What a model is told of the tool by which it submits its result. */
export const submitDescription = 'Submits your result, which ends your run. Call it alone, once the task is done.';

/** The first message of a declared agent's conversation. */
export function renderAgentInstructions(prompts: Prompts, instructions: string, submits: boolean): string {
  const ending = submits
    ? `Your run ends when you submit your result with ${submitTool}.`
    : 'Your first answer without a tool call is your result.';
  return prompts.renderInstructions('agent', { instructions, ending });
}
