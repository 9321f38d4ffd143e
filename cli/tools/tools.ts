import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { ClientError } from '../../client/errors.ts';
import type { MadeTools } from '../../client/made-tools/made-tools.ts';
import { findToolPaths, parseTool, readTool, writeToolFolder } from '../../client/made-tools/tool-folder.ts';
import { DatabaseError } from '../../db/database-error.ts';
import { LonghaulError } from '../../domain/longhaul-error.ts';
import type { MadeTool } from '../../domain/tool/made-tool.ts';
import type { CommandContext } from '../program/command-context.ts';
import { exitCodes } from '../program/exit-code.ts';
import { listStyle } from '../program/list-style.ts';
import { renderMadeTool, renderMadeTools } from '../text/render-made-tools.ts';

interface AsJson {
  json?: boolean;
}

async function withTools<Result>(
  context: CommandContext,
  work: (tools: MadeTools) => Promise<Result>,
): Promise<Result> {
  return context.withLonghaul(({ tools }) => work(tools));
}

export async function listTools(context: CommandContext, { json }: AsJson): Promise<void> {
  const tools = await withTools(context, (made) => made.list());
  if (json) return context.printJson(tools.map(({ code: _, tests: __, ...rest }) => rest));
  const lines = renderMadeTools(tools, await listStyle(context));
  context.tell(
    lines.join('\n') ||
      'No tool was made yet. `longhaul tools create --file FOLDER` makes one, and so do agents in `longhaul chat`.',
  );
}

export async function inspectTool(context: CommandContext, name: string, { json }: AsJson): Promise<void> {
  const tool = await withTools(context, (made) => made.find(name));
  if (json) return context.printJson(tool);
  context.print(renderMadeTool(tool));
}

export async function createTool(
  context: CommandContext,
  { file, newVersion }: { file?: string; newVersion?: boolean },
): Promise<void> {
  const tool = file === undefined ? await readFromPipe(context) : readTool(resolve(context.folder, file));
  context.print(await add(context, tool, { newVersion }));
}

async function readFromPipe({ stdin }: CommandContext): Promise<MadeTool> {
  const given = stdin.isTTY ? '' : await text(stdin);
  if (!given.trim()) {
    throw new ClientError(
      'InvalidInput',
      'Expected --file with a folder (tool.json, tool.py or tool.mjs, tests) or a JSON file, or that JSON from a pipe. docs/tools.md shows one.',
    );
  }
  try {
    return parseTool(JSON.parse(given), 'What came from the pipe');
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new ClientError('InvalidInput', `Expected JSON from the pipe: ${error.message}`);
    throw error;
  }
}

async function add(
  context: CommandContext,
  tool: MadeTool,
  { newVersion = false }: { newVersion?: boolean | undefined },
): Promise<string> {
  const added = await withTools(context, (made) => made.add(tool, { newVersion })).catch((error) => {
    if (!(error instanceof DatabaseError && error.code === 'MadeToolNameUnusable') || newVersion) throw error;
    throw new ClientError(
      'InvalidInput',
      `There is a made tool "${tool.name}" already. Choose another name, or with --new-version let this one take its place.`,
    );
  });
  return added ? `Made ${added.name}, version ${added.version}.` : `${tool.name} is there already, as it is.`;
}

export async function validateToolFile(context: CommandContext, file: string): Promise<void> {
  const tool = readTool(resolve(context.folder, file));
  await withTools(context, (made) => made.validate(tool));
  context.print(`${tool.name} would be accepted.`);
}

export async function testTool(context: CommandContext, name: string): Promise<void> {
  await withTools(context, async (made) => made.validate(await made.find(name).then(toTool)));
  context.print(`The tests of ${name} pass.`);
}

export async function exportTools(
  context: CommandContext,
  names: string[],
  { output = '.' }: { output?: string },
): Promise<void> {
  const tools = await withTools(context, async (made) =>
    names.length ? Promise.all(names.map((name) => made.find(name))) : made.list(),
  );
  for (const tool of tools) context.print(await writeToolFolder(resolve(context.folder, output), toTool(tool)));
  if (!tools.length) context.note('There is no made tool to write.');
}

/** Reports tools that are invalid or not accepted and still imports the others. */
export async function importTools(
  context: CommandContext,
  folder: string,
  options: { newVersion?: boolean },
): Promise<void> {
  for (const path of findToolPaths(resolve(context.folder, folder))) {
    try {
      context.print(await importOne(context, readTool(path), options));
    } catch (error) {
      const isOfThisOne = error instanceof LonghaulError && error.kind === 'input';
      if (!isOfThisOne) throw error;
      context.note(error.message);
      context.setExitCode(exitCodes.badInput);
    }
  }
}

/** `newVersion` applies only to a tool that already exists. */
async function importOne(context: CommandContext, tool: MadeTool, options: { newVersion?: boolean }): Promise<string> {
  const isThere = await withTools(context, async (made) => (await made.list()).some(({ name }) => name === tool.name));
  return add(context, tool, { newVersion: isThere && options.newVersion });
}

export async function enableTool(context: CommandContext, name: string, enabled: boolean): Promise<void> {
  await withTools(context, (made) => made.setEnabled(name, enabled));
  // A run's tools are fixed when it begins, but each call checks whether its tool is enabled.
  context.print(
    enabled
      ? `${name} is enabled, from the next message of a conversation on.`
      : `${name} is disabled: from now on it is not called, also for an answer that is being given.`,
  );
}

export async function removeTool(context: CommandContext, name: string): Promise<void> {
  await withTools(context, (made) => made.remove(name));
  context.print(`Removed ${name}.`);
}

function toTool({ name, description, language, parameters, code, tests }: MadeTool): MadeTool {
  return { name, description, language, parameters, code, tests };
}
