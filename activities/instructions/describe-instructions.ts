import { log } from '@temporalio/activity';
import { fence } from '../../agents/fence.ts';
import { readSkills } from '../../agents/skills/skill-folder.ts';
import type { Dependencies } from '../dependencies.ts';
import type { InstructionSource } from './instruction-source.ts';
import { readInstructions } from './read-instructions.ts';
import { readRepositorySkills } from './repository-skills.ts';

/** What an agent is told beside its own instructions. */
export interface DescribedInstructions {
  /** Follows the agent's own instructions; empty if there is nothing. */
  text: string;
  /** Folders with standing instructions of their own. */
  folders: string[];
}

/** Folders that the prompt names. */
const mostFolders = 100;

/**
 * The standing instructions of the repository that an agent works in, and the skills that it may read: those of the person's data folder and, where there
 * is a repository, its own. What cannot be used is left out, and the worker's log says so.
 */
export async function describeInstructions(
  { prompts, skillsFolder }: Pick<Dependencies, 'prompts' | 'skillsFolder'>,
  source?: InstructionSource,
): Promise<DescribedInstructions> {
  const paths = source ? await source.list() : [];
  const { root, folders } = source ? await readInstructions(source, paths) : { root: undefined, folders: [] };
  const parts = [];
  if (root !== undefined || folders.length) {
    const named = folders.slice(0, mostFolders).map((folder) => `- ${folder}`);
    parts.push(
      prompts.render('standing-instructions', {
        root: root ?? 'The root of the repository has none.',
        folders: fence('the names of folders', named.join('\n'), 'none.'),
      }),
    );
  }
  const skills = await listSkills(skillsFolder, source, paths);
  if (skills) parts.push(prompts.render('skills', { skills }));
  return { text: parts.join('\n\n'), folders };
}

async function listSkills(
  folder: string,
  source: InstructionSource | undefined,
  paths: readonly string[],
): Promise<string> {
  const own = readSkills(folder);
  const ofRepository = source ? await readRepositorySkills(source, paths) : { skills: [], problems: [] };
  for (const problem of [...own.problems.map((one) => one.problem), ...ofRepository.problems])
    log.warn('A skill cannot be used and is left out.', { problem });
  const names = new Set(own.skills.map(({ name }) => name));
  const others = ofRepository.skills.filter(({ name }) => !names.has(name));
  return [
    own.skills.length ? `The person's own:\n\n${own.skills.map(describe).join('\n')}` : '',
    others.length ? `Of the repository:\n\n${fence('skills of the repository', others.map(describe).join('\n'))}` : '',
  ]
    .filter(Boolean)
    .join('\n\n');
}

function describe({ name, description }: { name: string; description: string }): string {
  return `- ${name}: ${description.replace(/\s+/g, ' ')}`;
}
