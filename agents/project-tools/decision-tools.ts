import { addDecision, addFeedback, readDecisions } from '../../db/project/decisions.ts';
import { inProject } from '../../db/project/project-transaction.ts';
import { resolveProject } from '../../db/project/projects.ts';
import { describeFeedback } from '../../domain/project/decision-feedback.ts';
import { preview } from '../../domain/storable-text.ts';
import { fence } from '../fence.ts';
import type { ProjectToolDependencies, ProjectTools } from './project-tools.ts';
import { refuseSecrets } from './refuse-secrets.ts';

type DecisionToolName = 'record_project_decision' | 'list_project_decisions' | 'record_decision_outcome';

const defaultDecisions = 20;

/** Tools for the decisions of a project and what came of them. */
export function createDecisionTools({ use, control }: ProjectToolDependencies): Pick<ProjectTools, DecisionToolName> {
  return {
    async record_project_decision({ project: reference, ...decision }, { id }) {
      refuseSecrets(Object.values(decision).flat());
      const row = await use(async (database) => {
        const { id: projectId } = await resolveProject(database, reference);
        return inProject(database, projectId, (transaction) => addDecision(transaction, { ...decision, id }));
      });
      await control.remember(row);
      return { text: `Recorded as ${row.id}: "${row.title}".` };
    },

    list_project_decisions: ({ project: reference, limit = defaultDecisions }) =>
      use(async (database) => {
        const { id } = await resolveProject(database, reference);
        const all = await readDecisions(database, id);
        const shown = all
          .slice(-limit)
          .map(({ id: decision, title, choice, reasoning, feedback }) =>
            [
              `- ${decision}: ${preview(title)}`,
              `  choice: ${preview(choice, 400)}`,
              `  reasoning: ${preview(reasoning, 400)}`,
              ...(feedback ? [`  outcome: ${preview(describeFeedback(feedback), 400)}`] : []),
            ].join('\n'),
          );
        return {
          text: fence(`the decisions of ${id}`, shown.join('\n'), 'There are no decisions yet.'),
          display: `${all.length} decisions`,
        };
      }),

    async record_decision_outcome({ project: reference, decision, outcome, score, lesson = null }, { id }) {
      refuseSecrets([lesson ?? '']);
      return use(async (database) => {
        const { id: projectId } = await resolveProject(database, reference);
        const feedback = { id, decision, outcome, score, lesson };
        const { title } = await inProject(database, projectId, (transaction) => addFeedback(transaction, feedback));
        return { text: `Recorded for "${preview(title)}": ${describeFeedback(feedback)}` };
      });
    },
  };
}
