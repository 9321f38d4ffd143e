import type { WorkflowDefect } from '../../client/project/workflow-defect.ts';
import { printableLine } from './printable.ts';

/** Says that a bug stops a project. */
export function describeDefect({ workflow, message }: WorkflowDefect): string {
  return `The workflow ${workflow} fails with an error in Longhaul's code: ${printableLine(message)} It continues when a fixed version is deployed.`;
}
