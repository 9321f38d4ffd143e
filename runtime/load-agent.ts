import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { agentFile, parseAgent } from '../agents/own-agents/parse-agent.ts';
import { AgentError } from '../agents/runtime/agent-error.ts';
import { type Agent, defineAgent, isAgent } from '../agents/runtime/definition/define-agent.ts';
import type { AgentTool } from '../agents/runtime/tools/define-tool.ts';
import { loadPrograms } from '../config/load-programs.ts';

const codeFiles = ['ts', 'mts', 'js', 'mjs'].map((ending) => `agent.${ending}`);
const codeEndings = ['.ts', '.mts', '.js', '.mjs'];

/** The code of the agent in a folder, or of a file that is one; undefined if the folder has none, only an `agent.md` with made tools. */
export function findAgentCode(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  if (!statSync(path).isDirectory()) return codeEndings.includes(extname(path)) ? path : undefined;
  const file = codeFiles.map((name) => join(path, name)).find((one) => existsSync(one));
  if (file) return file;
  return existsSync(join(path, agentFile)) && listToolFiles(path).length ? join(path, agentFile) : undefined;
}

/**
 * Loads the agent of a file that `findAgentCode` found, TypeScript included, with the tools of the files in `tools/` beside it.
 * @throws {AgentError} `InvalidDefinition` naming the file.
 */
export async function loadAgent(file: string): Promise<Agent> {
  const toolFiles = listToolFiles(join(file, '..'));
  const toTools = (values: unknown[]) => values.map((value, index) => expectTool(toolFiles[index] ?? '', value));
  if (basename(file) === agentFile) {
    const { name: key, description, model, instructions, limits } = parseAgent(readFileSync(file, 'utf8'), file);
    const models = model === undefined ? {} : { model: model.split(/\s*,\s*/) };
    const tools = toTools(await loadDefaults(toolFiles));
    return defineAgent({ key, instructions, tools, limits, ...(description && { description }), ...models });
  }
  const [agent, ...values] = await loadDefaults([file, ...toolFiles]);
  if (!isAgent(agent)) {
    throw new AgentError(
      'InvalidDefinition',
      `Expected ${file} to export an agent by default: export default defineAgent({ ... }).`,
    );
  }
  return { ...agent, tools: [...agent.tools, ...toTools(values)] };
}

/** Files in `tools/` that are programs; its folders are tools that run in the sandbox. */
function listToolFiles(folder: string): string[] {
  const tools = join(folder, 'tools');
  if (!existsSync(tools) || !statSync(tools).isDirectory()) return [];
  return readdirSync(tools)
    .filter((name) => codeEndings.includes(extname(name)) && !/\.(test|d)\.\w+$/.test(name))
    .sort()
    .map((name) => join(tools, name));
}

async function loadDefaults(paths: readonly string[]): Promise<unknown[]> {
  const modules = {
    longhaul: await import('./index.ts'),
    'longhaul/config': await import('../config/define-config.ts'),
    'longhaul/ai-sdk': await import('../frameworks/ai-sdk/index.ts'),
    'longhaul/openai-agents': await import('../frameworks/openai-agents/index.ts'),
    'longhaul/models': await import('../models/index.ts'),
    zod: await import('zod'),
  };
  return loadPrograms(paths, modules, (message, cause) => new AgentError('InvalidDefinition', message, { cause }));
}

function expectTool(path: string, value: unknown): AgentTool {
  if (typeof value === 'object' && value !== null && 'name' in value && 'parameters' in value)
    return value as AgentTool;
  throw new AgentError(
    'InvalidDefinition',
    `Expected ${path} to export a tool by default: export default defineTool({ ... }).`,
  );
}
