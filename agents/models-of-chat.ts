import type { ProjectModels } from '../domain/model/model-of-role.ts';
import type { ChatAgent } from '../domain/project/settings.ts';

/** The models of a chat: those that the person chose, otherwise those of its agent. */
export function modelsOfChat(chat: { model: string | null; agent: Pick<ChatAgent, 'model'> | null }): ProjectModels {
  const chosen = chat.model ?? chat.agent?.model;
  return chosen === undefined ? {} : { models: { chat: chosen } };
}
