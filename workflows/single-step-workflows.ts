import type { ModelCheck } from '../agents/settings/create-model-check.ts';
import type { WorkerDescription, WorkerQuestion } from '../agents/settings/running-settings.ts';
import { maintenance, questions, requests } from './activities.ts';

/** Compacts the memories and updates their indexes; started by a schedule. */
export async function maintainMemoryWorkflow(): Promise<{ rows: number; indexed: string[] }> {
  return maintenance.maintainMemory();
}

/** Removes the sandboxes that no running workflow needs, for `longhaul sandbox prune`; returns their names. */
export async function pruneSandboxesWorkflow(): Promise<string[]> {
  return requests.pruneSandboxes();
}

/**
 * Validates a tool that a person made, which the client stored as a candidate under the workflow's own id. The refusals are stored with the
 * candidate, since they may quote the output of its tests.
 */
export async function validateToolWorkflow({ id }: { id: string }): Promise<void> {
  await requests.validateTool({ id });
}

/** What the worker that runs this was started with, for `longhaul models` and `config`. */
export async function describeWorkerWorkflow(question: WorkerQuestion): Promise<WorkerDescription> {
  return questions.describeWorker(question);
}

/** Asks models that a person named for one word, with the worker's keys and addresses. */
export async function checkModelsWorkflow(request: { names: string }): Promise<ModelCheck[]> {
  return questions.checkModels(request);
}
