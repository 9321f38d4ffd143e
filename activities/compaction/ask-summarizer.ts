import { fence } from '../../agents/fence.ts';
import type { Prompts } from '../../agents/load-prompts.ts';
import { ModelError } from '../../domain/model/model-error.ts';
import type { ModelCallSettings } from '../../domain/model/model-provider.ts';
import type { Message } from '../../domain/run/message.ts';
import type { Models } from '../../models/create-models.ts';
import type { Answered, CallContext, ModelCalls } from '../model/model-calls.ts';
import { charactersPerToken } from './fit-context.ts';
import { clip, renderConversation } from './render-conversation.ts';

/** Share of the summarizer's window that the conversation may take. */
const conversationShare = 0.5;
/** If not even this many characters fit, the model cannot summarize anything. */
const minCharacters = 4_000;

export interface SummaryRequest {
  /** Models tried in order, separated by commas. */
  names: string;
  settings: ModelCallSettings;
  task: string;
  /** The summary of what came before the messages. */
  earlier: string | undefined;
  messages: Message[];
  labels: Record<string, string>;
  signal: AbortSignal;
  context: CallContext;
}

/** Asks for a summary; each time the conversation is too long for the model, more of it is omitted. */
export async function askSummarizer(
  { models, prompts, modelCalls }: { models: Models; prompts: Prompts; modelCalls: ModelCalls },
  { names, settings, task, earlier, messages, labels, signal, context }: SummaryRequest,
): Promise<Answered> {
  let max = Math.floor(conversationShare * models.contextWindowOf(names) * charactersPerToken);
  for (;;) {
    const variables = {
      task: clip(task, Math.floor(max / 4)),
      earlier: fence(
        'an earlier summary',
        clip(earlier ?? '', Math.floor(max / 4)),
        'None: the conversation starts here.',
      ),
      conversation: fence('the conversation', renderConversation(messages, max)),
    };
    const asked = [
      { role: 'system' as const, content: { text: prompts.renderInstructions('summarizer', {}) } },
      { role: 'user' as const, content: { text: prompts.render('summarizer-task', variables) } },
    ];
    try {
      return await modelCalls.ask(names, { ...settings, messages: asked, tools: [], labels, signal }, context);
    } catch (error) {
      const isTooLong = error instanceof ModelError && error.code === 'ModelContextTooLong';
      if (!isTooLong || max < 2 * minCharacters) throw error;
      max = Math.floor(max / 2);
    }
  }
}
