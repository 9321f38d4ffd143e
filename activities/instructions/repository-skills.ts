import { parseSkill, SkillError, type SkillHead } from '../../agents/skills/parse-skill.ts';
import type { InstructionSource } from './instruction-source.ts';

/** A skill in the repository that an agent works in. */
export interface RepositorySkill extends SkillHead {
  /** Relative to the workspace. */
  folder: string;
  /** Paths of its other files, relative to the folder. */
  files: string[];
}

/** More are left out: each is read when a run begins. */
const mostSkills = 50;

/** The skills in `.agents/skills` and `.claude/skills`, and what is wrong with those that cannot be used. Of two with one name the first counts. */
export async function readRepositorySkills(
  source: InstructionSource,
  paths: readonly string[],
): Promise<{ skills: RepositorySkill[]; problems: string[] }> {
  const skills: RepositorySkill[] = [];
  const problems: string[] = [];
  const found = paths.filter((path) => /^\.(agents|claude)\/skills\/[^/]+\/SKILL\.md$/.test(path)).sort();
  for (const path of found.slice(0, mostSkills)) {
    try {
      const skill = parseSkill((await source.read(path)) ?? '', path);
      const folder = path.slice(0, path.lastIndexOf('/'));
      const inside = paths.filter((one) => one.startsWith(`${folder}/`)).map((one) => one.slice(folder.length + 1));
      if (skills.some(({ name }) => name === skill.name)) continue;
      skills.push({ ...skill, folder, files: inside.filter((one) => one !== 'SKILL.md') });
    } catch (error) {
      if (!(error instanceof SkillError)) throw error;
      problems.push(error.message);
    }
  }
  return { skills, problems };
}
