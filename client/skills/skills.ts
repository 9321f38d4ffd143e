import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { skillFile } from '../../agents/skills/parse-skill.ts';
import {
  readSkill,
  readSkills,
  type Skill,
  type SkillProblem,
  skillsFolder,
} from '../../agents/skills/skill-folder.ts';
import { ClientError } from '../errors.ts';

/** Folders of a repository with skills for agents, the first before the second. */
const ofRepositories = [join('.agents', 'skills'), join('.claude', 'skills')];

/** The skills of the data folder, those of a repository's folder that these do not hide, and what is wrong with others. */
export function listSkills({ home, folder }: { home: string; folder: string }): {
  skills: Skill[];
  problems: SkillProblem[];
} {
  const found = [skillsFolder(home), ...ofRepositories.map((one) => join(folder, one))].map(readSkills);
  const all = found.flatMap(({ skills }) => skills);
  return {
    skills: all.filter(({ name }, index) => all.findIndex((one) => one.name === name) === index),
    problems: found.flatMap(({ problems }) => problems),
  };
}

/**
 * A skill by its name, and the text of its SKILL.md.
 * @throws {ClientError} `InvalidInput` naming those that exist.
 */
export function findSkill(name: string, places: { home: string; folder: string }): { skill: Skill; text: string } {
  const { skills, problems } = listSkills(places);
  const skill = skills.find((one) => one.name === name);
  if (skill) return { skill, text: readFileSync(join(skill.folder, skillFile), 'utf8') };
  const problem = problems.find((one) => one.name === name);
  if (problem) throw new ClientError('InvalidInput', problem.problem);
  const known = skills.map((one) => one.name).join(', ');
  throw new ClientError(
    'InvalidInput',
    `Expected the name of a skill, got "${name}". ${known ? `There are: ${known}.` : '`longhaul skills add <folder>` adds one.'}`,
  );
}

/**
 * Copies a skill's folder into the data folder, whole or not at all.
 * @throws {SkillError} if it cannot be used.
 * @throws {ClientError} `InvalidInput` if there is one of that name.
 */
export async function addSkill(home: string, folder: string): Promise<Skill> {
  const { name } = readSkill(folder);
  const target = join(skillsFolder(home), name);
  if (existsSync(target))
    throw new ClientError(
      'InvalidInput',
      `There is a skill at ${target} already. Remove that folder first, or choose another name. Nothing was copied.`,
    );
  const copy = join(skillsFolder(home), `.${basename(target)}-${crypto.randomUUID()}`);
  await mkdir(skillsFolder(home), { recursive: true });
  await cp(folder, copy, { recursive: true });
  await rename(copy, target);
  return readSkill(target);
}
