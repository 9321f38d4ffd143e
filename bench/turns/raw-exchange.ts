import { z } from 'zod';
import { agentDefinitions } from '../../agents/agent-definition.ts';
import { toolDeclarations } from '../../agents/tools/tool-declarations.ts';
import { readMessages } from '../../db/transcript/transcript.ts';
import { createOpenAiChat } from '../../models/openai/openai-chat.ts';
import type { MeasuredFeature } from '../stack/bench-script.ts';
import type { BenchStack } from '../stack/bench-stack.ts';

/**
 * Milliseconds of the bare HTTP exchange of each turn of a measured run: the same request is sent again, and its answer read to the end without being
 * parsed.
 */
export async function timeRawExchanges(stack: BenchStack, runId: string, feature: MeasuredFeature): Promise<number[]> {
  const times: number[] = [];
  const provider = createOpenAiChat({
    name: 'openai',
    baseUrl: stack.modelUrl,
    headers: true,
    async fetch(input, init) {
      const since = performance.now();
      const response = await fetch(input, init);
      const body = await response.arrayBuffer();
      times.push(performance.now() - since);
      return new Response(body, response);
    },
  });
  const tools = agentDefinitions.code.tools.map((name) => {
    const { description, parameters } = toolDeclarations[name];
    return { name, description, parameters: z.toJSONSchema(parameters, { io: 'input' }) };
  });
  const transcript = await readMessages(stack.connection.database, runId);
  const turns = transcript.at(-1)?.turn ?? 0;
  for (let turn = 1; turn <= turns; turn += 1) {
    await provider.complete({
      model: 'gpt-4.1',
      messages: transcript.filter((message) => message.turn < turn),
      tools,
      labels: { Run: runId, Role: 'code', Feature: feature, Attempt: '1', Turn: String(turn) },
      signal: stack.signal,
    });
  }
  return times;
}
