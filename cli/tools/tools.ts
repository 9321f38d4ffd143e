import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { ClientError } from '../../client/errors.ts';
import { countOf } from '../../client/format/count.ts';
import { formatMoment } from '../../client/format/time.ts';
import type { MadeTools } from '../../client/made-tools/made-tools.ts';
import { findToolPaths, parseTool, readTool, writeToolFolder } from '../../client/made-tools/tool-folder.ts';
import { DatabaseError } from '../../db/database-error.ts';
import { LonghaulError } from '../../domain/longhaul-error.ts';
import type { ListedMadeTool, MadeTool, MadeToolVersion } from '../../domain/tool/made-tool.ts';
import type { CommandContext } from '../program/command-context.ts';
import { exitCodes } from '../program/exit-code.ts';
import { alignColumns } from '../render/columns.ts';
import { printable, printableJson, printableLine } from '../render/printable.ts';
import { type ListStyle, listStyle } from '../render/style.ts';

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
  const lines = renderMadeTools(tools, listStyle(context));
  context.printMessage(
    lines.join('\n') ||
      'There are no made tools yet. `longhaul tools create --file FOLDER` creates one; agents in `longhaul chat` do too.',
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
    return parseTool(JSON.parse(given), 'The JSON from the pipe');
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
      `There is a made tool "${tool.name}" already. Choose another name, or replace it with --new-version.`,
    );
  });
  return added ? `Created ${added.name}, version ${added.version}.` : `${tool.name} already exists unchanged.`;
}

export async function validateToolFile(context: CommandContext, file: string): Promise<void> {
  const tool = readTool(resolve(context.folder, file));
  await withTools(context, (made) => made.validate(tool));
  context.print(`${tool.name} is valid.`);
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
  if (!tools.length) context.note('There are no made tools to export.');
}

/** Reports invalid and refused tools and still imports the others. */
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
      ? `${name} is enabled from each conversation's next message on.`
      : `${name} is disabled; running answers can no longer call it either.`,
  );
}

export async function removeTool(context: CommandContext, name: string): Promise<void> {
  await withTools(context, (made) => made.remove(name));
  context.print(`Removed ${name}.`);
}

function toTool({ name, description, language, parameters, code, tests }: MadeTool): MadeTool {
  return { name, description, language, parameters, code, tests };
}

/** Renders one line per made tool. */
export function renderMadeTools(tools: ListedMadeTool[], { colors, width }: ListStyle): string[] {
  const rows = tools.map(({ name, version, language, enabled, uses, failures, description }) => [
    enabled ? name : colors.dim(name),
    `v${version}`,
    language,
    enabled ? countOf(uses, 'use') : 'disabled',
    failures ? colors.red(countOf(failures, 'failure')) : '',
    printableLine(description),
  ]);
  return alignColumns(rows, width);
}

/** Renders everything about one made tool. */
export function renderMadeTool(tool: ListedMadeTool & { versions: MadeToolVersion[] }): string {
  const { name, version, enabled, language, author, uses, failures, lastError, lastUsedAt, createdAt } = tool;
  const rows: Array<[string, string | undefined | null]> = [
    ['name', name],
    ['version', `${version}, ${formatMoment(createdAt)}, by ${printableLine(author)}`],
    ['language', language],
    ['state', enabled ? 'enabled' : 'disabled'],
    ['uses', `${uses}, ${countOf(failures, 'failure')}${lastUsedAt ? `, last ${formatMoment(lastUsedAt)}` : ''}`],
    ['last error', lastError && printableLine(lastError)],
    ['versions', tool.versions.map((one) => `${one.version} by ${printableLine(one.author)}`).join(', ')],
  ];
  const facts = rows.filter((row): row is [string, string] => Boolean(row[1]));
  return [
    ...alignColumns(facts),
    '',
    printable(tool.description),
    '',
    printableJson(tool.parameters, 2),
    '',
    printable(tool.code.trimEnd()),
    '',
    '--- tests',
    printable(tool.tests.trimEnd()),
  ].join('\n');
}
