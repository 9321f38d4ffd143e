import { insertCall } from '../../db/usage/add-call.ts';
import type { Message } from '../../domain/run/message.ts';
import { askSummarizer } from '../compaction/ask-summarizer.ts';
import type { Heartbeat } from '../heartbeat.ts';
import { createModelCalls } from '../model/model-calls.ts';
import type { HostDependencies } from './host-dependencies.ts';

/** A conversation that another agent is to know of. */
export interface ToSummarize {
  runId: string;
  turn: number;
  conversation: Message[];
  signal: AbortSignal;
  note: Heartbeat['note'];
}

/** Has the summarizer's model summarize a conversation for an agent that is called in it. */
export function createSummarize(dependencies: HostDependencies) {
  const { database, modelOf, callSettingsOf } = dependencies;
  const modelCalls = createModelCalls(dependencies);
  return async ({ runId, turn, conversation, signal, note }: ToSummarize): Promise<string> => {
    const { text, entry } = await askSummarizer(
      { ...dependencies, modelCalls },
      {
        ...{ names: modelOf('summarizer', {}), settings: callSettingsOf('summarizer'), signal },
        task: conversation.find(({ role }) => role === 'user')?.content.text ?? '',
        ...{ earlier: undefined, messages: conversation },
        labels: { Run: runId, Role: 'summarizer', Turn: `${turn}` },
        context: { note, place: { runId, turn, purpose: 'summary' } },
      },
    );
    await insertCall(database, entry);
    return text;
  };
}
