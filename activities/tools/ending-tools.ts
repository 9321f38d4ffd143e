import { checkProposal } from '../../agents/proposal.ts';
import { saveProposal } from '../../db/proposals.ts';
import { expectProjectId } from '../../db/run-owner.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Tools } from './tool.ts';

/** Tools that end a run; their text is what the run hands over. */
export function createEndingTools({
  database,
}: Pick<Dependencies, 'database'>): Pick<Tools, 'finish' | 'give_up' | 'submit_plan' | 'propose_project'> {
  return {
    finish: async ({ summary, evidence }) => ({ text: `${summary}\n\nEvidence: ${evidence}` }),
    give_up: async ({ reason, learned }) => ({ text: `It gave up: ${reason} Learned: ${learned}` }),
    async submit_plan({ steps, risks }) {
      const numbered = steps.map((step, index) => `${index + 1}. ${step}`).join('\n');
      return { text: risks ? `${numbered}\n\nRisks: ${risks}` : numbered };
    },
    async propose_project(proposed, { run }) {
      const check = checkProposal(proposed);
      if ('complaints' in check) {
        const list = check.complaints.slice(0, 30).map((complaint) => `- ${complaint}`);
        return { failed: true, text: `The proposal cannot be used:\n${list.join('\n')}` };
      }
      await saveProposal(database, expectProjectId(run), check.proposal);
      return { text: check.proposal.summary };
    },
  };
}
