import { ApplicationFailure, Context } from '@temporalio/activity';
import { z } from 'zod';
import { offeredTools } from '../../agents/agent-definition.ts';
import { type ToolName, toolDeclarations } from '../../agents/tools/tool-declarations.ts';
import type { Conversation } from '../../db/transcript/read-conversation.ts';
import { ModelError } from '../../domain/model/model-error.ts';
import type { ModelTool } from '../../domain/model/model-provider.ts';
import type { AgentRun } from '../../domain/run/agent-run.ts';
import type { Message } from '../../domain/run/message.ts';
import { scrub } from '../../domain/secrets/scrub.ts';
import { fitConversation, type NeedsSummary, shortenAll, summarizeTooLong } from '../compaction/fit-conversation.ts';
import type { Dependencies } from '../dependencies.ts';
import { createOwners } from '../run/owners/create-owners.ts';
import type { Owner } from '../run/owners/owner.ts';
import { createMadeTools } from '../tools/made-tools/made-tools.ts';
import { createMcpTools } from '../tools/mcp-tools.ts';
import { withNote } from './conversation-for-model.ts';
import { loadImages } from './load-images.ts';
import { type Answered, type CallContext, createModelCalls } from './model-calls.ts';
import { modelFailure } from './model-failure.ts';

export type ModelTurn = AgentRun & { turn: number };

/**
 * An answer with its usage row, or what must be summarized first. Otherwise the provider's message: `contextFull` if nothing more can be left out,
 * `refused` if it refused a chat's request.
 */
export type AskedModel = Answered | NeedsSummary | { contextFull: string } | { refused: string };

/** Sends a run's conversation to its models, shortened if necessary; failures are named by their cause. */
export function createAskModel(dependencies: Dependencies) {
  const { database, models, answers, callSettingsOf, agents, prompts } = dependencies;
  const madeTools = createMadeTools(dependencies);
  const mcpTools = createMcpTools(dependencies);
  const modelCalls = createModelCalls(dependencies);
  const owners = createOwners(dependencies);
  const toolNames = Object.keys(toolDeclarations) as ToolName[];
  const declared = Object.fromEntries(toolNames.map((name) => [name, toModelTool(name)])) as Record<
    ToolName,
    ModelTool
  >;

  return async function askModel(
    input: ModelTurn,
    stored: Conversation,
    { signal, note }: Pick<CallContext, 'note'> & { signal: AbortSignal },
  ): Promise<AskedModel> {
    const instructed = withInstructions(stored);
    const owner = owners[input.owner.kind];
    const conversation = { ...instructed, messages: owner.selectMessages(instructed.messages) };
    const names = owner.modelsOf(input, conversation);
    const { given, made } = await madeTools.given(offeredTools(input, agents), conversation);
    const remote = await mcpTools.given(input, conversation.agent);
    const tools = [
      ...given.map((name) => declared[name]),
      ...[...made, ...remote, ...(conversation.agent?.declared ?? [])].map(({ name, description, parameters }) => ({
        name,
        description,
        parameters,
      })),
    ];
    const { attempt } = Context.current().info;
    const spoken = answers.open({ owner: input.owner.id, run: input.runId, turn: input.turn, attempt });
    let outcome: 'answered' | 'failed' = 'failed';
    let failure: string | undefined;

    async function complete(fitting: Message[], why?: string): Promise<AskedModel> {
      spoken.begin(why);
      const messages = await loadImages(
        database,
        input.owner,
        withNotes(input, owner.formatMessages(fitting)),
        models.textOnlyOf(names),
      );
      const answer = await modelCalls.ask(
        names,
        { ...callSettingsOf(input.role), messages, tools, labels: labelsOf(input, owner, conversation), signal },
        { note, place: { runId: input.runId, turn: input.turn, purpose: 'answer' } },
        {
          onDelta: (delta) => spoken.add(delta),
          onFallback: (name, error) => spoken.begin(`${name} did not answer: ${error.message}`),
        },
      );
      outcome = 'answered';
      return answer;
    }

    /** Names the failure; if the model is asked again, those who watch learn why. */
    function end(error: unknown): { refused: string } {
      try {
        return refusedOrNamed(error, owner);
      } catch (named) {
        if (isTriedAgain(named)) failure = scrub(named.message);
        throw named;
      }
    }

    try {
      const window = models.contextWindowOf(conversation.model); // models set since are only asked if these are gone
      const fitting = await fitConversation(database, input, conversation, window, input.answerTokens);
      return 'compact' in fitting ? fitting : await complete(fitting);
    } catch (error) {
      if (!isTooLong(error)) return end(error);
      const shorter = await shortenAll(database, input, conversation);
      if (!shorter) return summarizeTooLong(conversation) ?? { contextFull: error.message };
      return await complete(shorter, 'the conversation was too long and was shortened').catch((again: unknown) => {
        if (isTooLong(again)) return summarizeTooLong(conversation) ?? { contextFull: again.message };
        return end(again);
      });
    } finally {
      spoken.end(outcome, failure);
    }
  };

  function withNotes({ nudge, lastCall }: ModelTurn, messages: Message[]): Message[] {
    if (lastCall !== undefined) return withNote(messages, prompts.render('last-call', { why: lastCall }));
    return nudge === undefined ? messages : withNote(messages, prompts.render('stuck-in-chat', { reason: nudge }));
  }
}

/** The instructions of a user-defined agent may have changed since its conversation began. */
function withInstructions(conversation: Conversation): Conversation {
  const { agent, messages } = conversation;
  const [first, ...rest] = messages;
  if (!agent || first?.role !== 'system') return conversation;
  return {
    ...conversation,
    messages: [{ ...first, content: { ...first.content, text: agent.instructions } }, ...rest],
  };
}

function isTooLong(error: unknown): error is ModelError {
  return error instanceof ModelError && error.code === 'ModelContextTooLong';
}

/** Returns a refusal that the run survives; any other error is thrown under its name. */
function refusedOrNamed(error: unknown, { advice, survivesRefusal }: Owner): { refused: string } {
  if (!(error instanceof ModelError)) throw error;
  if (survivesRefusal && error.code === 'ModelContentRefused') return { refused: error.message };
  throw modelFailure(error, { ...advice, tries: Context.current().info.attempt });
}

/** Whether Temporal makes another attempt after this failure. */
function isTriedAgain(error: unknown): error is ApplicationFailure {
  const { attempt, retryPolicy } = Context.current().info;
  const { maximumAttempts = Number.POSITIVE_INFINITY } = retryPolicy ?? {};
  return error instanceof ApplicationFailure && !error.nonRetryable && attempt < maximumAttempts;
}

function toModelTool(name: ToolName): ModelTool {
  const { $schema: _, ...parameters } = z.toJSONSchema(toolDeclarations[name].parameters, { io: 'input' });
  return { name, description: toolDeclarations[name].description, parameters };
}

function labelsOf(input: ModelTurn, { label }: Owner, { agent }: Conversation): Record<string, string> {
  return {
    [label]: input.owner.id,
    Run: input.runId,
    Role: input.role,
    ...(agent && { Agent: agent.name }),
    Turn: String(input.turn),
    ...(input.feature && { Feature: input.feature }),
    ...(input.attempt && { Attempt: String(input.attempt) }),
  };
}
