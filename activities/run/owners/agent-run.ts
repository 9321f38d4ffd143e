import type { Dependencies } from '../../dependencies.ts';
import { terminalFailure } from '../../failures.ts';
import { alternating } from '../../model/conversation-for-model.ts';
import type { Owner } from './owner.ts';

/** Runs of users' own agents: their workflow checks their limits, and their tools run in their own process. */
export function createAgentRunOwner({ prompts }: Pick<Dependencies, 'prompts'>): Owner {
  return {
    label: 'Run',
    advice: { next: 'retry' },
    survivesRefusal: false,
    waitsForHost: true,
    selectMessages: (messages) => messages,
    formatMessages: (messages) => alternating(messages, prompts.render('go-on', {})),
    modelsOf: (_run, { model }) => model,
    checkBudget: async () => ({ standings: [], warnings: [] }),
    readFacts: async () => ({ steered: [], chatted: [], decisions: [] }),
    sandboxOf: () => undefined,
    openSandbox: async ({ run }) => {
      throw terminalFailure('InvalidInput', `The run ${run.runId} has no sandbox.`);
    },
    searchMemory: async () => 'This run has no memories.',
  };
}
