import { bundleWorkflows } from '../../../workers/bundle-workflows.ts';
import { madeOnce } from '../made-once.ts';
import { withCoverage } from './workflow-coverage.ts';

/** The real workflows as they are now, bundled once for all files of a test run, since it takes seconds. */
export async function workflowBundleOfRun(): Promise<{ codePath: string }> {
  return { codePath: await madeOnce('workflows.js', (path) => bundleWorkflows(path, withCoverage)) };
}
