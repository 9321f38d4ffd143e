import type { Conversation } from '../db/transcript/read-conversation.ts';
import { splitModelNames } from '../models/model-name.ts';
import type { AgentRun } from '../workflows/agent-loop.ts';
import type { Dependencies } from './dependencies.ts';

/**
 * The models that a run asks, by commas: those that it began with, and in a project behind them those that are set for its role by now, so
 * that a run whose own are gone goes on once another is named.
 */
export function modelsOfRun(
  { modelOf }: Pick<Dependencies, 'modelOf'>,
  { projectId, role }: Pick<AgentRun, 'projectId' | 'role'>,
  { model, projectModels }: Pick<Conversation, 'model' | 'projectModels'>,
): string {
  if (projectId === undefined) return model;
  return [...new Set([...splitModelNames(model), ...splitModelNames(modelOf(role, projectModels))])].join(',');
}
