import { memoryOfDecision } from '../../../db/memory/memory-of-decision.ts';
import { addDecision } from '../../../db/project/decisions.ts';
import { progressEntry } from '../../../db/project/progress.ts';
import { inProject } from '../../../db/project/project-transaction.ts';
import { expectOwner } from '../../../domain/run/run-owner.ts';
import { findSecret } from '../../../domain/secrets/find-secrets.ts';
import type { Dependencies } from '../../dependencies.ts';
import type { Tools } from '../tool.ts';

/** Tools that write what later sessions know. */
export function createNoteTools(dependencies: Dependencies): Pick<Tools, 'record_decision' | 'log_progress'> {
  const { database, memory } = dependencies;
  return {
    async record_decision(decision, { run, id }) {
      const secret = findSecret(Object.values(decision).flat().join('\n'));
      if (secret !== undefined) {
        return {
          failed: true,
          text: `The decision seems to contain ${secret} and was not recorded. Record it without the secret; name the place where the secret is stored.`,
        };
      }
      const row = await inProject(database, expectOwner(run.owner, 'project'), (transaction) =>
        addDecision(transaction, { ...decision, id, sessionId: run.sessionId, runId: run.runId }),
      );
      await memory.remember([memoryOfDecision(row)]);
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
