import type { Conversation } from '../../db/transcript/read-conversation.ts';
import { splitModelNames } from '../../domain/model/model-name.ts';
import type { AgentRun } from '../../domain/run/agent-run.ts';
import type { Dependencies } from '../dependencies.ts';

/**
 * Comma-separated models of a run, tried in order: those it began with, then, in a project, those now set for its role, so that a run whose own
 * models are gone can continue once another is set.
 */
export function modelsOfRun(
  { modelOf }: Pick<Dependencies, 'modelOf'>,
  { projectId, role }: Pick<AgentRun, 'projectId' | 'role'>,
  { model, projectModels }: Pick<Conversation, 'model' | 'projectModels'>,
): string {
  if (projectId === undefined) return model;
  return [...new Set([...splitModelNames(model), ...splitModelNames(modelOf(role, projectModels))])].join(',');
}
