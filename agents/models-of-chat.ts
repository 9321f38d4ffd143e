import type { ChatAgent } from '../db/shapes.ts';
import type { ProjectModels } from '../models/model-of-role.ts';

/** The models of a chat: those that the person chose, otherwise those of its agent. */
export function modelsOfChat(chat: { model: string | null; agent: Pick<ChatAgent, 'model'> | null }): ProjectModels {
  const chosen = chat.model ?? chat.agent?.model;
  return chosen === undefined ? {} : { models: { chat: chosen } };
}
