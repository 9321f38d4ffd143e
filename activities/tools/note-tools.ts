import { addDecision } from '../../db/decisions.ts';
import { findSecret } from '../../db/memory/quality/secrets.ts';
import { progressEntry } from '../../db/progress.ts';
import { inProject } from '../../db/project-transaction.ts';
import { expectProjectId } from '../../db/run-owner.ts';
import { readMessagesAt } from '../../db/transcript/transcript.ts';
import type { Dependencies } from '../dependencies.ts';
import { rememberDecision } from '../memory.ts';
import type { Tools } from './tool.ts';

/** Tools that read and write what later sessions know. */
export function createNoteTools(
  dependencies: Dependencies,
): Pick<Tools, 'record_decision' | 'log_progress' | 'read_output'> {
  const { database } = dependencies;
  return {
    async read_output({ message: number, offset = 0, limit = 10_000 }, { run }) {
      const [message] = await readMessagesAt(database, run.runId, [number]);
      if (message?.role !== 'tool')
        return { failed: true, text: `Message ${number} is no tool result of this conversation.` };
      const { text } = message.content;
      const part = text.slice(offset, offset + limit).toWellFormed();
      if (!part)
        return { failed: true, text: `Result ${number} has ${text.length} characters; ${offset} is beyond its end.` };
      const more =
        offset + limit < text.length ? `\n[characters ${offset} to ${offset + limit} of ${text.length}]` : '';
      return { text: `${part}${more}`, display: `message ${number}` };
    },

    async record_decision(decision, { run, id }) {
      const secret = findSecret(Object.values(decision).flat().join('\n'));
      if (secret !== undefined) {
        return {
          failed: true,
          text: `The decision seems to hold ${secret} and was not recorded. Record it without the secret; name where that is stored instead.`,
        };
      }
      const row = await inProject(database, expectProjectId(run), (transaction) =>
        addDecision(transaction, { ...decision, id, sessionId: run.sessionId, runId: run.runId }),
      );
      await rememberDecision(dependencies, row);
      return { text: `Recorded: "${row.title}".` };
    },

    async log_progress({ note }, { run, id }) {
      const action = `note of the ${run.role} agent`;
      return {
        text: 'Logged.',
        alsoStore: progressEntry({ id, sessionId: run.sessionId, action, outcome: note }),
      };
    },
  };
}
