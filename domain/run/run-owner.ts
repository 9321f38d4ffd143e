/** The project or chat that a run belongs to. */
export type RunOwner = { projectId: string; chatId?: undefined } | { chatId: string; projectId?: undefined };

export function ownerId({ projectId, chatId }: RunOwner): string {
  return chatId ?? projectId;
}

/**
 * For runs whose role exists only in projects.
 * @throws {Error} if the run is a chat's.
 */
export function expectProjectId({ projectId, chatId }: RunOwner): string {
  if (projectId !== undefined) return projectId;
  throw new Error(`Expected the run of a project, got one of the chat ${chatId}.`);
}
