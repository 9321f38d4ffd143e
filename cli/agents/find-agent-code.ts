import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isAgentName } from '../../client/agents/agent-folder.ts';
import { findAgentCode } from '../../runtime/load-agent.ts';
import type { CommandContext } from '../program/command-context.ts';

/**
 * The file of an agent that has code of its own, by its name or its path; undefined for one that is an `agent.md` alone, or does not exist. The current
 * folder comes last for a name: it may be a stranger's repository, whose code would run in the place of the person's.
 */
export async function findCode(context: CommandContext, reference: string): Promise<string | undefined> {
  const { agents } = await context.configurationWithFile();
  const own = agents.folders.map((folder) => join(folder, reference)).filter((place) => existsSync(place));
  const near = resolve(context.folder, reference);
  const places = isAgentName(reference) && own.length ? own : [near, ...own];
  return places.map(findAgentCode).find((file) => file !== undefined);
}

/** The files of all agents that have code of their own and can be named. */
export async function listCode(context: CommandContext): Promise<string[]> {
  const { agents } = await context.configurationWithFile();
  return agents.folders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => findAgentCode(join(folder, name))))
    .filter((file) => file !== undefined);
}
