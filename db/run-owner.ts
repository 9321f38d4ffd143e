/** Whose run it is: a project's or a chat's. */
export type RunOwner = { projectId: string; chatId?: undefined } | { chatId: string; projectId?: undefined };

export function ownerId({ projectId, chatId }: RunOwner): string {
  return chatId ?? projectId;
}

/**
 * Of runs whose role only a project has.
 * @throws where it is a chat's.
 */
export function expectProjectId({ projectId, chatId }: RunOwner): string {
  if (projectId !== undefined) return projectId;
  throw new Error(`Expected the run of a project, got one of the chat ${chatId}.`);
}
