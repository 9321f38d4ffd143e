import type { Agent } from '../../agents/runtime/definition/define-agent.ts';
import { checkValue } from '../../agents/runtime/tools/check-value.ts';
import { submitTool } from '../../domain/agent-run/declaration.ts';
import type { RequestedToolCall } from '../../domain/run/message.ts';
import { parseJson } from '../tools/parse-arguments.ts';

/** What a call of a declared agent's tool brought. */
export interface CallResult {
  text: string;
  failed: boolean;
  /** What the tool returned, if it did. */
  value?: unknown;
  /** The agent's result, if the call submitted it. */
  submitted?: { output: unknown } | undefined;
}

/** Checks what an agent submits as its result. */
export async function submitResult(
  { output: schema }: Pick<Agent, 'output'>,
  call: RequestedToolCall,
  callsInTurn: number,
): Promise<CallResult> {
  if (callsInTurn > 1) {
    return {
      failed: true,
      text: `${submitTool} ends your run, so it must be the only call of its turn. Call it again alone.`,
    };
  }
  const read = parseJson(call.name, call.arguments);
  if ('complaint' in read) return { failed: true, text: read.complaint };
  if (!schema) return { failed: true, text: 'Your result is what you say. Answer in words.' };
  try {
    const output = await checkValue(schema, read.value, 'Your result');
    return { failed: false, text: 'Your result is submitted.', submitted: { output } };
  } catch (error) {
    return { failed: true, text: error instanceof Error ? error.message : String(error) };
  }
}
