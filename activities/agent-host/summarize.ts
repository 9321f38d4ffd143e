import { createHash } from 'node:crypto';
import { AgentError } from '../../agents/runtime/agent-error.ts';
import { insertCall } from '../../db/usage/add-call.ts';
import { ModelError } from '../../domain/model/model-error.ts';
import type { Message } from '../../domain/run/message.ts';
import { askSummarizer } from '../compaction/ask-summarizer.ts';
import type { Heartbeat } from '../heartbeat.ts';
import { createModelCalls } from '../model/model-calls.ts';
import type { HostDependencies } from './host-dependencies.ts';

/** A conversation that another agent is to know of. */
export interface ToSummarize {
  runId: string;
  /** Of the call that needs the summary. */
  callId: string;
  turn: number;
  conversation: Message[];
  signal: AbortSignal;
  note: Heartbeat['note'];
}

/** Has the summarizer's model summarize a conversation for an agent that is called in it. */
export function createSummarize(dependencies: HostDependencies) {
  const { database, modelOf, callSettingsOf } = dependencies;
  const modelCalls = createModelCalls(dependencies);
  return async ({ runId, callId, turn, conversation, signal, note }: ToSummarize): Promise<string> => {
    const { text, entry } = await askSummarizer(
      { ...dependencies, modelCalls },
      {
        ...{ names: modelOf('summarizer', {}), settings: callSettingsOf('summarizer'), signal },
        task: conversation.find(({ role }) => role === 'user')?.content.text ?? '',
        ...{ earlier: undefined, messages: conversation },
        labels: { Run: runId, Role: 'summarizer', Turn: `${turn}` },
        context: { note, place: { runId, turn, summaryUpTo: placeOf(callId), purpose: 'generation' } },
      },
    ).catch(throwNamed);
    await insertCall(database, entry);
    return text;
  };
}

/** Tells the summaries of a turn apart in the ledger: a number below those that answers and summaries of messages have. */
function placeOf(callId: string): number {
  return -2 - Number.parseInt(createHash('sha256').update(callId).digest('hex').slice(0, 7), 16);
}

/** What no other try mends is told to who calls the agent. */
function throwNamed(error: unknown): never {
  if (!(error instanceof ModelError) || error.retryable) throw error;
  throw new AgentError('CallFailed', `The conversation could not be summarized for the agent: ${error.message}`, {
    cause: error,
  });
}
