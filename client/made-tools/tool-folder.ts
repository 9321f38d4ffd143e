import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeIssues } from '../../domain/describe-issue.ts';
import { fileNamesOf, type MadeTool, madeToolLanguages, madeToolSchema } from '../../domain/tool/made-tool.ts';
import { ClientError } from '../errors.ts';

const description = 'tool.json';

/** Writes a tool to a folder of its name: `tool.json` (name, description, language, parameters), its code and its tests. */
export async function writeToolFolder(
  parent: string,
  { name, description: toolDescription, language, parameters, code, tests }: MadeTool,
): Promise<string> {
  const folder = join(parent, name);
  const files = fileNamesOf(language);
  await mkdir(folder, { recursive: true });
  const json = { name, description: toolDescription, language, parameters };
  await writeFile(join(folder, description), `${JSON.stringify(json, null, 2)}\n`);
  await writeFile(join(folder, files.code), code);
  await writeFile(join(folder, files.tests), tests);
  return folder;
}

/**
 * Reads a tool from its folder, or from a JSON file that also contains its code and tests.
 * @throws {ClientError} `InvalidInput` naming the file, what was expected and what came.
 */
export function readTool(path: string): MadeTool {
  if (!existsSync(path))
    throw new ClientError(
      'InvalidInput',
      `Expected a folder with ${description}, or a JSON file, at ${path}; found none.`,
    );
  if (!statSync(path).isDirectory()) return parseTool(readJson(path), path);
  const file = join(path, description);
  if (!existsSync(file))
    throw new ClientError('InvalidInput', `Expected ${description} in ${path}, found ${list(path)}.`);
  const json = readJson(file);
  const language = madeToolLanguages.find((one) => one === (json as { language?: unknown } | null)?.language);
  if (!language) {
    throw new ClientError(
      'InvalidInput',
      `Expected "language" in ${file} to be one of ${madeToolLanguages.join(', ')}.`,
    );
  }
  const files = fileNamesOf(language);
  const missing = [files.code, files.tests].filter((name) => !existsSync(join(path, name)));
  if (missing.length)
    throw new ClientError('InvalidInput', `Expected ${missing.join(' and ')} in ${path}, found ${list(path)}.`);
  const [code, tests] = [files.code, files.tests].map((name) => readFileSync(join(path, name), 'utf8'));
  return parseTool({ ...(json as object), code, tests }, file);
}

/**
 * Reads the tool in a folder, or every tool in its subfolders.
 * @throws {ClientError} `InvalidInput` also if two tools have the same name, since model providers refuse that.
 */
export function readTools(folder: string): MadeTool[] {
  const pathOf = new Map<string, string>();
  return findToolPaths(folder).map((path) => {
    const tool = readTool(path);
    const other = pathOf.get(tool.name);
    if (other !== undefined) {
      throw new ClientError(
        'InvalidInput',
        `Expected unique tool names, but ${other} and ${path} both have "${tool.name}". Rename one of them.`,
      );
    }
    pathOf.set(tool.name, path);
    return tool;
  });
}

/**
 * Paths for `readTool`: the given tool folder or file itself, or the tool folders inside it.
 * @throws {ClientError} `InvalidInput` if a folder is neither.
 */
export function findToolPaths(folder: string): string[] {
  if (!existsSync(folder) || !statSync(folder).isDirectory() || existsSync(join(folder, description))) return [folder];
  const paths = readdirSync(folder)
    .sort()
    .map((name) => join(folder, name))
    .filter((path) => existsSync(join(path, description)));
  if (paths.length) return paths;
  throw new ClientError(
    'InvalidInput',
    `Expected ${folder} to have ${description}, or folders that do; found ${list(folder)}.`,
  );
}

/** @throws {ClientError} `InvalidInput` */
export function parseTool(given: unknown, origin: string): MadeTool {
  const parsed = madeToolSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new ClientError('InvalidInput', `${origin} is not a tool:\n${describeIssues(parsed.error, given)}`);
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new ClientError('InvalidInput', `Expected JSON in ${path}: ${(error as Error).message}`);
  }
}

function list(folder: string): string {
  return readdirSync(folder).slice(0, 10).join(', ') || 'nothing';
}
