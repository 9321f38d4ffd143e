import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { Database } from '../../db/connection/database.ts';
import { findProject } from '../../db/project/projects.ts';
import { projectWorkflowType, startOptions } from '../../domain/project/workflow-options.ts';
import { slugOf } from '../../domain/slug.ts';
import { rootMessage } from './project-messages.ts';

/** Milliseconds, many times what a worker needs to create a project's folder and row. */
const maxWait = 60_000;

export interface StartProjectRequest {
  /** Chosen by the caller, so that a retry starts nothing twice. */
  id: string;
  goal: string;
  name?: string | undefined;
}

/** Starts a project and waits until it exists; one that exists already continues. Returns why it could not be started. */
export async function startProject(
  { database, client, taskQueue }: { database: Database; client: Client; taskQueue: string },
  { id, goal, name }: StartProjectRequest,
): Promise<string | undefined> {
  const input = { goal, name: name ?? slugOf(goal) };
  const handle = await client.workflow
    .start(projectWorkflowType, startOptions(id, taskQueue, input))
    .catch((error: unknown) => {
      if (error instanceof WorkflowExecutionAlreadyStartedError) return client.workflow.getHandle(id);
      throw error;
    });
  const deadline = Date.now() + maxWait;
  while (!(await findProject(database, id))) {
    const { status } = await handle.describe();
    if (status.name !== 'RUNNING')
      return `The project could not begin. ${await handle.result().then(() => '', rootMessage)}`;
    if (Date.now() > deadline) return `${id} was started but has not begun yet. It begins once its worker is free.`;
    await sleep(200);
  }
  return undefined;
}
