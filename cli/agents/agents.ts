import { basename, dirname, join, resolve } from 'node:path';
import { assistantName } from '../../agents/own-agents/parse-agent.ts';
import { agentsFolder, listAgentFolders, readAgentFolder, writeAgentFolder } from '../../client/agents/agent-folder.ts';
import { ClientError } from '../../client/errors.ts';
import { LonghaulError } from '../../domain/longhaul-error.ts';
import { slugOf } from '../../domain/slug.ts';
import type { CommandContext } from '../program/command-context.ts';
import { exitCodes } from '../program/exit-code.ts';
import { alignColumns } from '../render/columns.ts';
import { printableLine } from '../render/printable.ts';
import { listStyle } from '../render/style.ts';

const defaultPrompt =
  'You are a helpful assistant. Describe here what you are for, how you work, and what you never do.';

export async function createAgent(
  context: CommandContext,
  given: string | undefined,
  { prompt = defaultPrompt, model, dir }: { prompt?: string; model?: string; dir?: string },
): Promise<void> {
  if (!prompt.trim()) throw new ClientError('InvalidInput', 'Expected a text with --prompt, got none.');
  const name = given ?? (prompt === defaultPrompt ? 'my-agent' : slugOf(prompt, 'agent'));
  if (name === assistantName) {
    throw new ClientError(
      'InvalidInput',
      `The name "${assistantName}" is reserved for the built-in assistant. Choose another name. Nothing was written.`,
    );
  }
  const { home } = await context.configuration();
  const folder = dir === undefined ? join(agentsFolder(home), name) : resolve(context.folder, dir);
  const path = await writeAgentFolder(folder, { name, prompt, model });
  context.print(path);
  context.note(`Edit it, then: \`longhaul run ${dir === undefined ? name : dir}\`.`);
}

export async function listAgents(context: CommandContext, { json }: { json?: boolean }): Promise<void> {
  const { home } = await context.configuration();
  const { listCode } = await import('./find-agent-code.ts');
  const inCode = (await listCode(context)).map((file) => dirname(file));
  const folders = [...new Set([...listAgentFolders(home), ...inCode])];
  const found = folders.map((folder) => (inCode.includes(folder) ? describeCode(folder) : readOrComplain(folder)));
  if (found.some(({ problem }) => problem !== undefined)) context.setExitCode(exitCodes.failed);
  if (json) return context.printJson(found);
  const { colors, width } = listStyle(context);
  const rows = found.map(({ name, ownName, description = '', folder, problem }) => [
    printableLine(name),
    problem === undefined
      ? printableLine(ownName === undefined ? description : `${description} (calls itself ${ownName})`.trim())
      : colors.red(printableLine(problem)),
    colors.dim(printableLine(folder)),
  ]);
  context.printMessage(
    alignColumns(rows, width).join('\n') ||
      `There is no agent in ${agentsFolder(home)} yet. \`longhaul agents create\` creates one.`,
  );
}

interface ListedAgent {
  /** The name of its folder, which `longhaul run` takes. */
  name: string;
  /** The name in its file, which chats show; set only if it differs. */
  ownName?: string;
  folder: string;
  description?: string | undefined;
  model?: string | undefined;
  tools?: string[] | undefined;
  ownTools?: string[];
  problem?: string;
}

/** An agent with code is not run to be listed. */
function describeCode(folder: string): ListedAgent {
  return { name: basename(folder), folder, description: 'an agent in code' };
}

function readOrComplain(folder: string): ListedAgent {
  const name = basename(folder);
  try {
    const { name: ownName, description, model, tools, ownTools } = readAgentFolder(folder);
    return {
      name,
      ...(ownName !== name && { ownName }),
      folder,
      description,
      model,
      tools,
      ownTools: ownTools.map((tool) => tool.name),
    };
  } catch (error) {
    if (!(error instanceof LonghaulError && error.kind === 'input')) throw error;
    return { name, folder, problem: error.message };
  }
}
