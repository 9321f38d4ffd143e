import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ApplicationFailure,
  type Client,
  WithStartWorkflowOperation,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import { ProjectToolError } from '../../agents/project-tools/project-tool-error.ts';
import type { ProjectToolCall } from '../../agents/project-tools/project-tools.ts';
import type { Database } from '../../db/connection/database.ts';
import { readProject, refuseToReopen } from '../../db/project/projects.ts';
import type { RevertRequest, RevertResult, SessionRequest, SessionStarted } from '../../domain/project/messages.ts';
import { isTerminal } from '../../domain/project/statuses.ts';
import { projectWorkflowType, reopenOptions } from '../../domain/project/workflow-options.ts';

/** What a chat may ask of a project's workflow, as `longhaul pause`, `resume`, `abandon`, `revert` and `session` do. */
export interface ProjectMessages {
  pause(projectId: string, request: { reason?: string; now?: boolean }): Promise<void>;
  resume(projectId: string): Promise<void>;
  abandon(projectId: string, reason?: string): Promise<void>;
  revert(projectId: string, request: RevertRequest, call: ProjectToolCall): Promise<RevertResult>;
  verify(projectId: string, feature: string, call: ProjectToolCall): Promise<SessionStarted>;
}

/** Milliseconds in which a running project shows what a signal does. */
const showTimeout = 5_000;

/** Sends messages to projects; what a project refuses is a `ProjectToolError` with its reason. */
export function createProjectMessages(deps: {
  database: Database;
  client: Client;
  taskQueue: string;
}): ProjectMessages {
  const { database, client, taskQueue } = deps;
  return {
    async pause(id, request) {
      const { eventCount } = await expectNotEnded(id, 'pause');
      try {
        await client.workflow.getHandle(id).signal<unknown[]>('pause', request);
      } catch (error) {
        if (!(error instanceof WorkflowNotFoundError)) throw error;
        throw ended(id, 'pause', error);
      }
      await untilChanged(id, eventCount);
    },
    resume: (id) => signalWithStart(id, 'resume'),
    async abandon(id, reason) {
      await expectNotEnded(id, 'abandon');
      await signalWithStart(id, 'abandon', reason === undefined ? {} : { reason });
    },
    revert: (id, request, call) => update<RevertRequest, RevertResult>(id, 'revertToCheckpoint', request, call),
    verify: (id, feature, call) =>
      update<SessionRequest, SessionStarted>(id, 'runSession', { feature, verifyOnly: true }, call),
  };

  async function expectNotEnded(id: string, what: string) {
    const project = await readProject(database, id);
    if (isTerminal(project.status)) throw ended(id, what);
    return project;
  }

  async function signalWithStart(id: string, signal: string, ...payload: unknown[]): Promise<void> {
    const project = await readProject(database, id);
    await refuseToReopen(database, project);
    await client.workflow.signalWithStart(projectWorkflowType, {
      ...reopenOptions(id, taskQueue),
      signal,
      signalArgs: payload,
    });
    await untilChanged(id, project.eventCount);
  }

  /** A retry of the call finds the update of the first attempt. */
  async function update<Request, Answer>(
    id: string,
    name: string,
    request: Request,
    call: ProjectToolCall,
  ): Promise<Answer> {
    await refuseToReopen(database, await readProject(database, id));
    const execute = () =>
      client.workflow.executeUpdateWithStart<() => Promise<unknown>, Answer, [Request]>(name, {
        args: [request],
        updateId: createHash('sha256').update(call.id).digest('hex').slice(0, 32),
        startWorkflowOperation: new WithStartWorkflowOperation(projectWorkflowType, reopenOptions(id, taskQueue)),
      });
    try {
      return await client.withAbortSignal(call.signal, execute);
    } catch (error) {
      call.signal.throwIfAborted();
      if (!(error instanceof WorkflowUpdateFailedError)) throw error;
      throw new ProjectToolError('RequestRefused', rootMessage(error), error);
    }
  }

  /** Waits a moment for the project to show what it was told. */
  async function untilChanged(id: string, before: number): Promise<void> {
    for (const deadline = Date.now() + showTimeout; Date.now() < deadline; await sleep(100)) {
      if ((await readProject(database, id)).eventCount !== before) return;
    }
  }
}

function ended(id: string, what: string, cause?: unknown): ProjectToolError {
  return new ProjectToolError('RequestRefused', `${id} has ended, so there is nothing to ${what}.`, cause);
}

/** The message of Longhaul's own failure, without Temporal's wrappers. */
export function rootMessage(error: Error): string {
  let found = error;
  while (!(found instanceof ApplicationFailure) && found.cause instanceof Error) found = found.cause;
  return found.message;
}
