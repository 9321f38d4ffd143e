import { fence, withoutFences } from '../../../agents/fence.ts';
import { readRecentExchanges } from '../../../db/chats/read-recent.ts';
import type { MemorySource, NewMemory, Reader } from '../../../db/memory/memory.ts';
import { learn } from '../../../db/memory/quality/learn.ts';
import { expectOwner } from '../../../domain/run/run-owner.ts';
import { findSecret } from '../../../domain/secrets/find-secrets.ts';
import { preview } from '../../../domain/storable-text.ts';
import type { Dependencies } from '../../dependencies.ts';
import { readerInBranch } from '../../memory/memory.ts';
import { originOfRun } from '../../memory/origin-of-run.ts';
import { createOwners } from '../../run/owners/create-owners.ts';
import type { Tools } from '../tool.ts';

type MemoryToolName = 'search_memory' | 'write_memory' | 'forget_memory' | 'get_recent_conversations';

/** Characters shown of a message, and of its answer, from a recent conversation. */
const wordsShown = 1_000;

/** Tools for what is known across sessions, projects and conversations. */
export function createMemoryTools(dependencies: Dependencies): Pick<Tools, MemoryToolName> {
  const { database, memory } = dependencies;
  const owners = createOwners(dependencies);
  return {
    async search_memory(query, { run }) {
      const text = await owners[run.owner.kind].searchMemory(run, query);
      return { text, display: withoutFences(text) };
    },

    async write_memory({ content, kind, scope = 'global', tags }, { run, id, messageNumber }) {
      const secret = findSecret(content);
      if (secret !== undefined) {
        return {
          failed: true,
          text: `The text seems to contain ${secret}. Write it without; name the place where the secret is stored.`,
        };
      }
      const reader = await readerInBranch(database, expectOwner(run.owner, 'chat'), run.parentRunId ?? run.runId);
      const source = { run: run.runId, message: messageNumber };
      const origin = await originOfRun(database, run.parentRunId ?? run.runId);
      const learned = await learn(
        memory,
        { ...written({ id, content, kind, tags, source }, scope, reader), origin },
        reader,
      );
      if (learned.outcome === 'known') return { text: `Already known as memory ${learned.id}.` };
      const replaced = learned.superseded.length ? ` It replaces ${learned.superseded.join(', ')}.` : '';
      return { text: `Remembered as ${learned.id}.${replaced}` };
    },

    async forget_memory({ id }, { run }) {
      const [found] = await memory.get([id]);
      const isOwn = found && (found.scope === 'global' || found.sessionId === run.owner.id);
      if (!isOwn) {
        return {
          failed: true,
          text: `There is no memory "${id}". \`search_memory\` shows ids.`,
        };
      }
      await memory.change(id, { expiresAt: new Date() });
      return {
        text: `Forgotten: "${preview(found.text)}". It is kept as history; the person can restore it with \`longhaul memory edit ${id} --expires 2100-01-01\`.`,
      };
    },

    async get_recent_conversations({ limit = 10, all_sessions: everywhere = false }, { run }) {
      const chatId = expectOwner(run.owner, 'chat');
      const recent = await readRecentExchanges(database, { limit, ...(!everywhere && { chatId }) });
      const formatted = recent.map(
        ({ chat, said, answer, createdAt }) =>
          `[${createdAt.toISOString().slice(0, 16).replace('T', ' ')} UTC, ${chat}]\nThe person: ${preview(said, wordsShown)}\nYou: ${preview(answer, wordsShown) || '(no answer)'}`,
      );
      return {
        text: fence('earlier conversations', formatted.join('\n\n'), 'There are no earlier messages.'),
        display: recent.length === 1 ? '1 message' : `${recent.length} messages`,
      };
    },
  };
}

function written(
  memory: { id: string; content: string; kind: string; tags: string[]; source: MemorySource },
  scope: 'global' | 'session',
  { sessionId }: Reader,
): NewMemory {
  const { id, content: text, kind, tags, source } = memory;
  return { id, text, kind, scope, tags, source, ...(scope === 'session' && { sessionId }) };
}
