import { findRun } from '../../../db/transcript/transcript.ts';
import { delegateRunId } from '../../../domain/run/delegation.ts';
import type { Dependencies } from '../../dependencies.ts';
import type { Tool, Tools } from '../tool.ts';

type DelegationToolName =
  | 'delegate_code_task'
  | 'delegate_research_task'
  | 'delegate_testing_task'
  | 'delegate_documentation_task';

/** Returns the result of a delegation; the workflow runs the child before it calls this. */
export function createDelegationTools(dependencies: Dependencies): Pick<Tools, DelegationToolName> {
  const handOver: Tool<{ task: string }> = async (_input, { id }) => {
    const run = await findRun(dependencies.database, delegateRunId(id));
    if (!run)
      return { failed: true, text: 'The delegated work could not start. Do it yourself, or delegate it again.' };
    const failed = run.status !== 'FINISHED';
    const transcript = `longhaul transcript ${run.id}`;
    return {
      text: `${run.result ?? 'The agent ended without an answer.'}\n\n[${failed ? 'It did not finish. ' : ''}Its transcript, for the person: ${transcript}]`,
      failed,
      display: `${run.result ?? 'no answer'} [${transcript}]`,
    };
  };
  return {
    delegate_code_task: handOver,
    delegate_research_task: handOver,
    delegate_testing_task: handOver,
    delegate_documentation_task: handOver,
  };
}
