import { eq } from 'drizzle-orm';
import { z } from 'zod';
import { agentDefinitions } from '../agents/agent-definition.ts';
import type { Role } from '../agents/role.ts';
import { isToolName, toolDeclarations } from '../agents/tools/tool-declarations.ts';
import { isAlreadyThere } from '../db/is-already-there.ts';
import { outlastOutage } from '../db/outlast-outage.ts';
import { addToProject } from '../db/project-transaction.ts';
import { runs, usage } from '../db/schema.ts';
import { preview } from '../db/storable-text.ts';
import type { Message } from '../db/transcript/message.ts';
import { addMessage, findAnswer, readConversation } from '../db/transcript/transcript.ts';
import type { AgentRun } from '../workflows/agent-loop.ts';
import type { Dependencies } from './dependencies.ts';
import { describeCall } from './describe-call.ts';
import { withHeartbeat } from './heartbeat.ts';
import type { ModelAnswer, ModelTool } from './model/model-client.ts';

export interface ModelTurn extends AgentRun {
  turn: number;
}

/** What a workflow needs to know of an answer. */
export interface AnswerSummary {
  messageNumber: number;
  calls: Array<{ position: number; name: string; readOnly: boolean; summary: string }>;
}

/** Written after an answer that asks for no tool, which moves nothing. */
const nudge =
  'You answered without calling a tool, so nothing happened. Go on with a tool call; end with the tool that ends your run.';

/** The activity `callModel`: one answer of the model, stored with its usage before the workflow learns of it. */
export function createCallModel(dependencies: Dependencies) {
  const { database, model } = dependencies;
  /** Made once for each role, since it takes a millisecond. */
  const tools = new Map<Role, ModelTool[]>();

  return async function callModel(input: ModelTurn): Promise<AnswerSummary> {
    const { model: modelName, messages } = await readConversation(database, input.runId);
    const stored = messages.find((message) => message.turn === input.turn && message.role === 'assistant');
    if (stored) return summarize(stored);
    const started = performance.now();
    return withHeartbeat(async ({ cancel, detach }) => {
      const signal = AbortSignal.any([cancel, detach]);
      const answer = await model.complete({
        model: modelName,
        messages,
        tools: toolsFor(input.role),
        labels: labelsOf(input),
        signal,
      });
      const durationMs = Math.round(performance.now() - started);
      const number = (messages.at(-1)?.number ?? -1) + 1;
      // It is paid for: an outage of the database must not cost it.
      return outlastOutage(signal, () => store(input, modelName, number, answer, durationMs));
    });
  };

  function toolsFor(role: Role): ModelTool[] {
    const made = tools.get(role) ?? toolsOf(role);
    tools.set(role, made);
    return made;
  }

  async function store(
    input: ModelTurn,
    modelName: string,
    number: number,
    answer: ModelAnswer,
    durationMs: number,
  ): Promise<AnswerSummary> {
    const { runId, turn } = input;
    const { toolCalls } = answer;
    const message: Message = {
      number,
      turn,
      role: 'assistant',
      content: { text: answer.text, ...(toolCalls.length && { toolCalls }) },
    };
    const nudged = { runId, turn, number: number + 1, role: 'user' as const, content: { text: nudge } };
    try {
      // The statements go together, so that they share a round trip.
      await addToProject(database, input.projectId, ({ query, tell }) =>
        Promise.all([
          tell({
            type: 'turn-completed',
            run: runId,
            turn,
            text: preview(answer.text),
            tools: toolCalls
              .slice(0, 20)
              .map((call) => ({ tool: preview(call.name, 60), preview: describeCall(call, 80) })),
            inputTokens: answer.usage.inputTokens,
            outputTokens: answer.usage.outputTokens,
            durationMs,
          }),
          addMessage(query, { runId, ...message }),
          ...(toolCalls.length ? [] : [addMessage(query, nudged)]),
          query
            .insert(usage)
            .values({ runId, turn, model: modelName, ...answer.usage, durationMs, requestId: answer.requestId }),
          query.update(runs).set({ turns: turn }).where(eq(runs.id, runId)),
        ]),
      );
    } catch (error) {
      if (!isAlreadyThere(error)) throw error;
      // An attempt that was given up as dead stored its answer meanwhile; the first one stays.
      const earlier = await findAnswer(database, runId, turn);
      if (!earlier) throw error;
      return summarize(earlier);
    }
    return summarize(message);
  }
}

function summarize(message: Message): AnswerSummary {
  const calls = message.content.toolCalls ?? [];
  return {
    messageNumber: message.number,
    calls: calls.map((call, position) => ({
      position,
      name: preview(call.name, 60),
      readOnly: isToolName(call.name) && toolDeclarations[call.name].readOnly,
      summary: `${preview(call.name, 60)} ${describeCall(call, 80)}`.trim(),
    })),
  };
}

function toolsOf(role: Role): ModelTool[] {
  return agentDefinitions[role].tools.map((name) => {
    const { $schema: _, ...parameters } = z.toJSONSchema(toolDeclarations[name].parameters, { io: 'input' });
    return { name, description: toolDeclarations[name].description, parameters };
  });
}

function labelsOf(input: ModelTurn): Record<string, string> {
  return {
    Project: input.projectId,
    Run: input.runId,
    Role: input.role,
    Turn: String(input.turn),
    ...(input.feature && { Feature: input.feature }),
    ...(input.attempt && { Attempt: String(input.attempt) }),
  };
}
