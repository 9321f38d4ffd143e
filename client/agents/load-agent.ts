import { createHash } from 'node:crypto';
import { agentDefinitions } from '../../agents/agent-definition.ts';
import { addToolOfAgent, findVersions, listMadeTools } from '../../db/made-tools/made-tools.ts';
import type { ChatAgent } from '../../domain/project/settings.ts';
import { ClientError } from '../errors.ts';
import { type ValidationDependencies, validateTool } from '../made-tools/validate-tool.ts';
import { type AgentFolder, readAgentFolder } from './agent-folder.ts';

/**
 * Reads an agent's folder for a chat. Its tools that are not stored yet are validated like those that agents make.
 * @throws {ClientError | AgentFileError | MadeToolRefusedError} `InvalidInput`
 */
export async function loadAgent(deps: ValidationDependencies, folder: string): Promise<ChatAgent> {
  const agent = readAgentFolder(folder);
  await expectTools(deps, agent);
  const { name, hash, instructions, model, tools, limits } = agent;
  return {
    name,
    folder,
    hash,
    instructions,
    ...(model !== undefined && { model }),
    ...(tools && { tools }),
    limits,
    madeTools: await addOwnTools(deps, agent),
  };
}

async function expectTools(
  { database }: ValidationDependencies,
  { tools = [], ownTools, folder }: AgentFolder,
): Promise<void> {
  const known = new Set<string>([...agentDefinitions.chat.tools, ...ownTools.map(({ name }) => name)]);
  let unknown = tools.filter((name) => !known.has(name));
  if (!unknown.length) return;
  const made = (await database.use(listMadeTools)).map(({ name }) => name);
  unknown = unknown.filter((name) => !made.includes(name));
  if (!unknown.length) return;
  throw new ClientError(
    'InvalidInput',
    `Expected the tools of ${folder}/agent.md to be some of ${[...known, ...made].join(', ')}; got ${unknown.join(', ')}.`,
  );
}

/** The ids of their versions; the same tool has the same id. */
async function addOwnTools(deps: ValidationDependencies, { name: agent, ownTools }: AgentFolder): Promise<string[]> {
  const ids: string[] = [];
  for (const tool of ownTools) {
    const id = `agent-${createHash('sha256').update(JSON.stringify(tool)).digest('hex').slice(0, 40)}`;
    ids.push(id);
    if ((await deps.database.use((query) => findVersions(query, [id]))).length) continue;
    await validateTool(deps, tool);
    await deps.database.use((query) => addToolOfAgent(query, { id, tool, author: `agent ${agent}` }));
  }
  return ids;
}
