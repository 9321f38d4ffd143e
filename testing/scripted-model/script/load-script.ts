import { readdir, readFile } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { parse, YAMLParseError } from 'yaml';
import { parseScript, type Script, ScriptError } from './script.ts';

/**
 * Reads a script from a folder: all `*.yaml` files in order of name, with their `entries` concatenated. Any value below `entries` of the form `{
 * $file: path }` is replaced by the text of that file, whose path is relative to the folder and must stay inside it.
 * @throws {ScriptError} naming the file and what is wrong in it.
 */
export async function loadScript(folder: string): Promise<Script> {
  const names = (await readFolder(folder)).filter((name) => name.endsWith('.yaml')).sort();
  if (names.length === 0) throw new ScriptError(`Expected a *.yaml file with \`entries\` in ${folder}, found none.`);
  const merged: Record<string, unknown> & { entries: unknown[] } = { entries: [] };
  for (const name of names) {
    const part = await readYaml(join(folder, name));
    const { entries, ...settings } = part;
    if (entries !== undefined && !Array.isArray(entries)) {
      throw new ScriptError(`Expected \`entries\` in ${join(folder, name)} to be a list, got ${typeof entries}.`);
    }
    const filled = await fillFiles(entries ?? [], folder, `${name}: entries`);
    parseScript({ entries: [{ role: 'any', turns: [{ text: 'none' }] }], ...settings }, join(folder, name));
    Object.assign(merged, settings);
    merged.entries.push(...(filled as unknown[]));
  }
  return parseScript(merged, `The script in ${folder}`);
}

async function readFolder(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (cause) {
    throw new ScriptError(`Expected a script folder at ${folder}: ${(cause as Error).message}.`, { cause });
  }
}

async function readYaml(path: string): Promise<Record<string, unknown>> {
  try {
    const value: unknown = parse(await readFile(path, 'utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch (cause) {
    if (!(cause instanceof YAMLParseError)) throw cause;
    throw new ScriptError(`${path} is not YAML: ${cause.message}`, { cause });
  }
  throw new ScriptError(`Expected ${path} to hold a mapping with \`entries\`.`);
}

async function fillFiles(value: unknown, folder: string, where: string): Promise<unknown> {
  if (Array.isArray(value)) {
    return Promise.all(value.map((item, index) => fillFiles(item, folder, `${where}[${index}]`)));
  }
  if (typeof value !== 'object' || value === null) return value;
  if ('$file' in value) return readReferencedFile(value, folder, where);
  const filled = await Promise.all(
    Object.entries(value).map(async ([key, item]) => [key, await fillFiles(item, folder, `${where}.${key}`)] as const),
  );
  return Object.fromEntries(filled);
}

async function readReferencedFile(reference: object, folder: string, where: string): Promise<string> {
  const { $file: path, ...rest } = reference as { $file: unknown };
  if (typeof path !== 'string' || Object.keys(rest).length > 0) {
    throw new ScriptError(
      `Expected ${where} to be { $file: path } and nothing else, got ${JSON.stringify(reference)}.`,
    );
  }
  const absolute = resolve(folder, path);
  if (relative(resolve(folder), absolute).split(sep)[0] === '..') {
    throw new ScriptError(`Expected the $file of ${where} inside ${folder}, got ${path}.`);
  }
  try {
    return await readFile(absolute, 'utf8');
  } catch (cause) {
    throw new ScriptError(`Cannot read the $file of ${where}: ${(cause as Error).message}.`, { cause });
  }
}
