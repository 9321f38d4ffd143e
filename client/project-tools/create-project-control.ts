import type { ProjectControl } from '../../agents/project-tools/project-tools.ts';
import { memoryOfDecision } from '../../db/memory/memory-of-decision.ts';
import type { MemoryStore } from '../../db/memory/memory-store.ts';
import type { ProjectHandle } from '../project/project-handle.ts';
import type { StartRequest } from '../start/check-goal.ts';

interface ControlDependencies {
  start(request: StartRequest): Promise<ProjectHandle>;
  handle(projectId: string): ProjectHandle;
  /** Opens the memory store on first use. */
  memory(): Promise<Pick<MemoryStore, 'remember'>>;
}

/** What the project tools do by a project's handle. */
export function createProjectControl({ start, handle, memory }: ControlDependencies): ProjectControl {
  return {
    start: async ({ goal, name, folder }) => (await start({ goal, name, folder })).id,
    pause: (id, request) => handle(id).pause(request),
    resume: (id) => handle(id).resume(),
    abandon: (id, reason) => handle(id).abandon(reason),
    revert: (id, request) => handle(id).revert(request),
    verify: (id, feature) => handle(id).runSession({ feature, verifyOnly: true }),
    remember: async (decision) => (await memory()).remember([memoryOfDecision(decision)]),
  };
}
