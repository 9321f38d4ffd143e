import { Context } from '@temporalio/activity';
import { z } from 'zod';
import { offeredTools } from '../agents/definition-of.ts';
import { type ToolName, toolDeclarations } from '../agents/tools/tool-declarations.ts';
import { ownerId, type RunOwner } from '../db/run-owner.ts';
import type { Message } from '../db/transcript/message.ts';
import type { Conversation } from '../db/transcript/read-conversation.ts';
import { ModelError } from '../models/model-error.ts';
import type { ModelAnswer, ModelTool } from '../models/model-provider.ts';
import type { ModelTurn } from './call-model.ts';
import { fitConversation, type NeedsSummary, shortenAll, summarizeTooLong } from './conversation.ts';
import type { Dependencies } from './dependencies.ts';
import { modelFailure } from './model-failure.ts';

/**
 * An answer and the `provider/model` that gave it; or what has to be summarized first, or what the provider said where the conversation
 * does not fit it and nothing is left to leave out.
 */
export type AskedModel = (ModelAnswer & { model: string }) | NeedsSummary | { contextFull: string };

/** Asks the models of a run with its conversation, shortened where it has to be; failures are named by their cause. */
export function createAskModel({ database, models, answers, callSettingsOf, agents }: Dependencies) {
  /** Made once for each list of them, since it takes a millisecond. */
  const tools = new Map<string, ModelTool[]>();

  return async function askModel(
    input: ModelTurn,
    conversation: Conversation,
    signal: AbortSignal,
  ): Promise<AskedModel> {
    const { model: names } = conversation;
    const { attempt } = Context.current().info;
    const spoken = answers.open({ owner: ownerId(input), run: input.runId, turn: input.turn, attempt });
    let outcome: 'answered' | 'failed' = 'failed';

    async function complete(messages: Message[], why?: string): Promise<AskedModel> {
      spoken.begin(why);
      const answer = await models.complete(
        names,
        { ...callSettingsOf(input.role), messages, tools: toolsFor(input), labels: labelsOf(input), signal },
        {
          onDelta: (delta) => spoken.add(delta),
          onFallback: (name, error) => spoken.begin(`${name} did not answer: ${error.message}`),
        },
      );
      outcome = 'answered';
      return answer;
    }

    try {
      const fitting = await fitConversation(database, input, conversation, models.contextWindowOf(names));
      return 'compact' in fitting ? fitting : await complete(fitting);
    } catch (error) {
      if (!isTooLong(error)) throw named(error, input);
      const shorter = await shortenAll(database, input, conversation);
      if (!shorter) return summarizeTooLong(conversation) ?? { contextFull: error.message };
      return await complete(shorter, 'the conversation was too long and is shortened').catch((again: unknown) => {
        if (isTooLong(again)) return summarizeTooLong(conversation) ?? { contextFull: again.message };
        throw named(again, input);
      });
    } finally {
      spoken.end(outcome);
    }
  };

  function toolsFor(run: ModelTurn): ModelTool[] {
    const names = offeredTools(run, agents);
    const key = names.join(' ');
    const made = tools.get(key) ?? names.map(toModelTool);
    tools.set(key, made);
    return made;
  }
}

function isTooLong(error: unknown): error is ModelError {
  return error instanceof ModelError && error.why === 'context-too-long';
}

function named(error: unknown, run: RunOwner): unknown {
  return error instanceof ModelError ? modelFailure(error, run) : error;
}

function toModelTool(name: ToolName): ModelTool {
  const { $schema: _, ...parameters } = z.toJSONSchema(toolDeclarations[name].parameters, { io: 'input' });
  return { name, description: toolDeclarations[name].description, parameters };
}

function labelsOf(input: ModelTurn): Record<string, string> {
  return {
    ...(input.chatId === undefined ? { Project: input.projectId } : { Chat: input.chatId }),
    Run: input.runId,
    Role: input.role,
    Turn: String(input.turn),
    ...(input.feature && { Feature: input.feature }),
    ...(input.attempt && { Attempt: String(input.attempt) }),
  };
}
