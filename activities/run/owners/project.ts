import { fence } from '../../../agents/fence.ts';
import { describeWhatRemains, readSpent, readStandings } from '../../../db/budget/read-standings.ts';
import { warnOfBudgets, withoutLogged } from '../../../db/budget/warn-of-budgets.ts';
import { readDecisions } from '../../../db/project/decisions.ts';
import { readSteeringMessages } from '../../../db/steering/read-steering-messages.ts';
import { splitModelNames } from '../../../domain/model/model-name.ts';
import { findOverrun, findWarnings } from '../../../domain/project/budgets.ts';
import type { Dependencies } from '../../dependencies.ts';
import { formatMemories, recallFor } from '../../memory/memory.ts';
import { findOrReopenSandbox } from '../../sandbox/reopen-sandbox.ts';
import type { Owner } from './owner.ts';
import { createPermitSpending } from './permit-spending.ts';

/** Runs of a project: they have budgets and wait for what is unavailable. */
export function createProjectOwner(dependencies: Dependencies): Owner {
  const { database, modelOf } = dependencies;
  const permitSpending = createPermitSpending(dependencies);
  return {
    label: 'Project',
    advice: { next: 'resume' },
    survivesRefusal: false,
    waitsForHost: true,
    selectMessages: (messages) => messages,
    formatMessages: (messages) => messages,

    /** The run's own models, then those now set for its role, so that a run whose models are gone can continue. */
    modelsOf({ role }, { model, projectModels }) {
      return [...new Set([...splitModelNames(model), ...splitModelNames(modelOf(role, projectModels))])].join(',');
    },

    async checkBudget({ owner, sessionId, runId }, { budgets, permissions }) {
      const of = { projectId: owner.id, sessionId, runId };
      const standings = budgets ? await readStandings(database, budgets, of) : [];
      const due = await withoutLogged(database, owner.id, findWarnings(standings));
      const warnings = due.length ? await warnOfBudgets(database, of) : [];
      const overrun = findOverrun(standings);
      const known = standings.find(({ scope }) => scope === 'project')?.spent;
      const readProjectSpent = async () => known ?? readSpent(database, 'project', owner.id);
      const stop = overrun
        ? { reason: `${overrun}. ${await describeWhatRemains(database, owner.id)}` }
        : await permitSpending(owner.id, { budgets, permissions, readSpent: readProjectSpent });
      return { standings, warnings, ...(stop && { stop: { ...stop, budgets: budgets ?? {} } }) };
    },

    async readFacts({ owner, runId }, _messages, upTo) {
      const [steered, decisions] = await Promise.all([
        readSteeringMessages(database, runId, upTo),
        readDecisions(database, owner.id),
      ]);
      return { steered, chatted: [], decisions };
    },

    sandboxOf: ({ sandbox }) => sandbox,

    openSandbox({ run: { owner, sandbox = '' }, id: call, cancel, detach }) {
      return findOrReopenSandbox(dependencies, { projectId: owner.id, sandbox, call, cancel, detach });
    },

    async searchMemory({ owner }, { query, scope, kind, limit = 5 }) {
      const { own, foreign } = await recallFor(
        dependencies,
        owner.id,
        query,
        limit,
        kind === undefined ? undefined : [kind],
      );
      const lessons = scope === undefined || scope === 'global' ? foreign : [];
      const decisions = scope === 'global' ? [] : own;
      if (!decisions.length && !lessons.length) return 'No relevant memories.';
      const others = lessons.length
        ? `\n\nFrom elsewhere:\n${fence('memories of elsewhere', formatMemories(lessons, { sources: true }))}`
        : '';
      const known = formatMemories(decisions, { sources: true });
      return `${fence('decisions and memories of this project', known, 'No relevant decisions of this project.')}${others}`;
    },
  };
}
