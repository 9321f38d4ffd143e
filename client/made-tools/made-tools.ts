import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  addMadeTool,
  expectNameFits,
  listMadeTools,
  person,
  readVersions,
  removeMadeTool,
  resolveMadeTool,
  setMadeToolEnabled,
} from '../../db/made-tools/made-tools.ts';
import type { ListedMadeTool, MadeTool, MadeToolVersion } from '../../domain/tool/made-tool.ts';
import { type ValidationDependencies, validateTool } from './validate-tool.ts';

/** The tools that agents and people made; a worker validates them. */
export interface MadeTools {
  /** Sorted by name. */
  list(): Promise<ListedMadeTool[]>;
  /** @throws {DatabaseError} `UnknownMadeTool` */
  find(name: string): Promise<ListedMadeTool & { versions: MadeToolVersion[] }>;
  /**
   * Validates a tool as `generate_tool` does and stores it; null if the same tool already exists.
   * @throws {MadeToolRefusedError | DatabaseError}
   */
  add(tool: MadeTool, options?: { newVersion?: boolean }): Promise<MadeToolVersion | null>;
  /**
   * Checks everything except whether the name is free.
   * @throws {MadeToolRefusedError}
   */
  validate(tool: MadeTool): Promise<void>;
  /** Enabled, it is offered to chats from their next message on; disabled, no call of it is carried out from now on. */
  setEnabled(name: string, enabled: boolean): Promise<void>;
  /** Frees its name; its versions stay for the transcripts that mention them. */
  remove(name: string): Promise<void>;
}

export function createMadeTools(deps: ValidationDependencies): MadeTools {
  const { database } = deps;
  const validate = (tool: MadeTool) => validateTool(deps, tool);
  return {
    list: () => database.use(listMadeTools),
    find: (name) =>
      database.use(async (query) => ({
        ...(await resolveMadeTool(query, name)),
        versions: await readVersions(query, name),
      })),
    async add(tool, { newVersion = false } = {}) {
      const there = (await database.use(listMadeTools)).find(({ name }) => name === tool.name);
      if (there && isSame(there, tool)) return null;
      await database.use((query) => expectNameFits(query, { name: tool.name, newVersion, author: person }));
      await validate(tool);
      const id = `tool-${randomUUID()}`;
      return database.use((query) => addMadeTool(query, { id, tool, author: person, newVersion }));
    },
    validate,
    setEnabled: (name, enabled) => database.use((query) => setMadeToolEnabled(query, name, enabled)),
    remove: (name) => database.use((query) => removeMadeTool(query, name)),
  };
}

function isSame(one: MadeTool, other: MadeTool): boolean {
  return isDeepStrictEqual(contentOf(one), contentOf(other));
}

function contentOf({ name, description, language, parameters, code, tests }: MadeTool): MadeTool {
  return { name, description, language, parameters, code, tests };
}
