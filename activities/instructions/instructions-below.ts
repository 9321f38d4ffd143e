import type { ToolName } from '../../agents/tools/tool-declarations.ts';
import { readProject } from '../../db/project/projects.ts';
import { findInstructions, readGivenFolders } from '../../db/transcript/read-instructions.ts';
import { foldersAround } from '../../domain/instructions/instruction-files.ts';
import { normalizePath } from '../../domain/permissions/subjects.ts';
import type { AgentRun } from '../../domain/run/agent-run.ts';
import type { Dependencies } from '../dependencies.ts';
import { sourceOfCommit } from './instruction-source.ts';
import { readInstructionsOf } from './read-instructions.ts';

/** Tools whose `path` says where an agent works. */
const onPaths: ReadonlySet<string> = new Set<ToolName>([
  'read_file',
  'write_file',
  'edit_file',
  'list_files',
  'search_files',
]);

/** Standing instructions that follow the result of a tool call. */
export interface InstructionsBelow {
  text: string;
  folders: string[];
}

/**
 * The standing instructions of the folders that a call of a file tool is about, as far as the run's model does not see them yet, the nearest last;
 * undefined if there are none.
 */
export async function findInstructionsBelow(
  { database, openRepository }: Pick<Dependencies, 'database' | 'openRepository'>,
  { owner, runId }: AgentRun,
  { tool, arguments: given }: { tool: string; arguments: unknown },
): Promise<InstructionsBelow | undefined> {
  const { path } = given as { path?: string };
  if (owner.kind !== 'project' || !onPaths.has(tool) || path === undefined) return undefined;
  const known = await findInstructions(database, runId);
  const around = foldersAround(known?.folders ?? [], normalizePath(path));
  if (!known || !around.length) return undefined;
  const seen = await readGivenFolders(database, runId);
  const folders = around.filter((folder) => !seen.has(folder));
  if (!folders.length) return undefined;
  const project = await readProject(database, owner.id);
  const source = sourceOfCommit(await openRepository(project.folder, project.branch), known.commit);
  const texts: string[] = [];
  for (const folder of folders) texts.push((await readInstructionsOf(source, folder)) ?? '');
  const text = texts.filter(Boolean).join('\n');
  return { text: text && `Standing instructions for this folder, as far as they serve your task:\n${text}`, folders };
}
