import { fence } from '../../../agents/fence.ts';
import type { Message } from '../../../domain/run/message.ts';
import type { Dependencies } from '../../dependencies.ts';
import { formatMemories, readerInBranch, searchUnreverted } from '../../memory/memory.ts';
import { alternating, withoutRefused } from '../../model/conversation-for-model.ts';
import { adviceInChat } from '../../model/model-failure.ts';
import { openChatSandbox } from '../../sandbox/chat-sandbox.ts';
import type { Owner } from './owner.ts';

/** Runs of a chat and of its delegates: a person waits for them, and their workflow checks their limits. */
export function createChatOwner(dependencies: Dependencies): Owner {
  const { database, prompts } = dependencies;
  return {
    label: 'Chat',
    advice: adviceInChat,
    survivesRefusal: true,
    waitsForHost: false,
    selectMessages: withoutRefused,
    formatMessages: (messages) => alternating(messages, prompts.render('go-on', {})),
    modelsOf: (_run, { model }) => model,
    checkBudget: async () => ({ standings: [], warnings: [] }),

    async readFacts(_run, messages, upTo) {
      const chatted = withoutRefused(messages).filter(({ number }) => number <= upTo);
      return { steered: [], chatted: wordsOf(chatted), decisions: [] };
    },

    sandboxOf: ({ owner }) => owner.id,
    openSandbox: async ({ run }) => ({ sandbox: await openChatSandbox(dependencies, run.owner.id) }),

    async searchMemory({ owner, runId, parentRunId }, { query, scope, kind, limit = 5 }) {
      const reach = scope === undefined ? undefined : scope === 'global' ? 'foreign' : 'own';
      // A delegate searches in the branch of the run that delegated to it.
      const reader = await readerInBranch(database, owner.id, parentRunId ?? runId);
      const kinds = kind === undefined ? undefined : [kind];
      const found = await searchUnreverted(dependencies, { query, scope: { ...reader, reach }, kinds, limit });
      return fence('memories', formatMemories(found, { ids: true, sources: true }), 'No relevant memories.');
    },
  };
}

/** The person's words, without what was appended for the model. */
function wordsOf(messages: Message[]): string[] {
  return messages.filter(({ role }) => role === 'user').map(({ content }) => content.said ?? content.text);
}
