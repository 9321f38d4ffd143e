import { offeredTools } from '../../agents/agent-definition.ts';
import { selectGiven } from '../../agents/made-tools/select-given.ts';
import { toolDeclarations } from '../../agents/tools/tool-declarations.ts';
import type { Queryable } from '../../db/connection/database.ts';
import { readGiven } from '../../db/made-tools/offered-tools.ts';
import type { ChatAgent } from '../../domain/project/settings.ts';

/** The tools of a chat's agent from the next message on, with the descriptions that the model is given. */
export async function listChatTools(
  query: Queryable,
  chat: { agent: ChatAgent | null; memory: boolean },
  settings: { search?: unknown },
): Promise<Array<{ name: string; description: string }>> {
  const run = {
    owner: { kind: 'chat' as const },
    role: 'chat' as const,
    ...(!chat.memory && { memory: false as const }),
  };
  const { made: offered, tools } = await readGiven(query, chat.agent);
  const { given, made } = selectGiven(offeredTools(run, settings), offered, { tools });
  const shipped = given.map((name) => ({ name, description: toolDeclarations[name].description }));
  return [...shipped, ...made.map(({ name, description }) => ({ name, description }))];
}
