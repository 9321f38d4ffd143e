import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { stringify } from 'yaml';
import { AgentFileError, agentFile, type OwnAgent, parseAgent } from '../../agents/own-agents/parse-agent.ts';
import type { MadeTool } from '../../domain/tool/made-tool.ts';
import { ClientError } from '../errors.ts';
import { readTools } from '../made-tools/tool-folder.ts';

/** An agent's folder as it is now. */
export interface AgentFolder extends OwnAgent {
  folder: string;
  /** The tools in its `tools/`. */
  ownTools: MadeTool[];
  /** Changes whenever `agent.md` or a tool in `tools/` does. */
  hash: string;
}

/** The folder of agents that are found by name. */
export function agentsFolder(home: string): string {
  return join(home, 'agents');
}

/** Whether a reference is a name and no path, which begins with a dot or has a slash. */
export function isAgentName(reference: string): boolean {
  return /^[^./\\][^/\\]*$/.test(reference);
}

/**
 * Finds an agent's folder by its name or its path; for a name the current folder comes last.
 * @throws {ClientError} `InvalidInput` naming the agents that exist.
 */
export function findAgentFolder(reference: string, { home, folder }: { home: string; folder: string }): string {
  const byName = join(agentsFolder(home), reference);
  const path = resolve(folder, reference);
  const places = isAgentName(reference) ? [byName, path] : [path, byName];
  const found = places.find((one) => existsSync(join(one, agentFile)));
  if (found) return found;
  const names = listAgentFolders(home).map((one) => basename(one));
  throw new ClientError(
    'InvalidInput',
    `Expected a folder with ${agentFile}, or the name of an agent in ${agentsFolder(home)}; got "${reference}". ${names.length ? `There are: ${names.join(', ')}.` : '`longhaul agents create` creates one.'}`,
  );
}

/** The folders of agents that are found by name. */
export function listAgentFolders(home: string): string[] {
  const folder = agentsFolder(home);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .map((name) => join(folder, name))
    .filter((path) => existsSync(join(path, agentFile)));
}

/**
 * Reads an agent's folder.
 * @throws {ClientError | AgentFileError} `InvalidInput` saying what is wrong with which file.
 */
export function readAgentFolder(folder: string): AgentFolder {
  const path = join(folder, agentFile);
  const text = readFileSync(path, 'utf8');
  const agent = parseAgent(text, path);
  const tools = join(folder, 'tools');
  const ownTools =
    existsSync(tools) && statSync(tools).isDirectory() && readdirSync(tools).length ? readTools(tools) : [];
  const hash = createHash('sha256')
    .update(JSON.stringify([text, ownTools]))
    .digest('hex')
    .slice(0, 16);
  return { ...agent, folder, ownTools, hash };
}

/** As text, so that each setting keeps its comment; an unset one is commented out with `# `. */
function renderTemplate({
  name,
  description,
  model,
}: {
  name: string;
  description: string;
  model?: string | undefined;
}) {
  const set = (setting: string, value: string) => stringify({ [setting]: value }, { lineWidth: 0 }).trimEnd();
  return `---
${set('name', name)}
# What it is for, in a line; \`longhaul agents list\` shows it.
${set('description', description)}
${model === undefined ? '# model: anthropic/claude-sonnet-5' : set('model', model)}   # or a list, tried in order; the model of the role "chat" where absent
# tools: [search_memory, write_memory, create_task, list_tasks]   # all of a chat where absent; [] for none
# limits: { modelCalls: 15, toolCalls: 30, tokens: 100000 }   # for one message
---
`;
}

/**
 * Writes the folder of a new agent; returns it.
 * @throws {ClientError} `InvalidInput` if an agent already exists there, or the name is invalid.
 */
export async function writeAgentFolder(
  folder: string,
  { name, prompt, model }: { name: string; prompt: string; model?: string | undefined },
): Promise<string> {
  const path = join(folder, agentFile);
  if (existsSync(path)) {
    throw new ClientError(
      'InvalidInput',
      `There is an agent at ${path} already. Edit it or choose another name. Nothing was written.`,
    );
  }
  const description = prompt.split('\n')[0]?.slice(0, 100).toWellFormed() ?? '';
  const text = `${renderTemplate({ name, description, model })}${prompt.trim()}\n`;
  try {
    parseAgent(text, path);
  } catch (error) {
    if (error instanceof AgentFileError) throw new ClientError('InvalidInput', error.message);
    throw error;
  }
  await mkdir(folder, { recursive: true });
  await writeFile(path, text);
  return path;
}
