import type { OwnerKind } from '../../../domain/run/run-owner.ts';
import type { Dependencies } from '../../dependencies.ts';
import { createAgentRunOwner } from './agent-run.ts';
import { createChatOwner } from './chat.ts';
import type { Owner } from './owner.ts';
import { createProjectOwner } from './project.ts';

/** One entry for each kind of owner. */
export function createOwners(dependencies: Dependencies): Record<OwnerKind, Owner> {
  return {
    project: createProjectOwner(dependencies),
    chat: createChatOwner(dependencies),
    run: createAgentRunOwner(dependencies),
  };
}
