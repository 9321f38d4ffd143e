import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { parseSkill, SkillError, type SkillHead, skillFile } from './parse-skill.ts';

/** A skill in a folder of this machine. */
export interface Skill extends SkillHead {
  folder: string;
  /** Paths of its other files, relative to the folder. */
  files: string[];
}

/** A folder that should be a skill and is none. */
export interface SkillProblem {
  name: string;
  folder: string;
  problem: string;
}

const mostBytes = 1024 ** 2;
const mostFiles = 200;

/** The folder of a person's skills within the data folder. */
export function skillsFolder(home: string): string {
  return join(home, 'skills');
}

/** The skills in the folders of a folder, in order of their names, and what is wrong with the others; none if there is no such folder. */
export function readSkills(folder: string): { skills: Skill[]; problems: SkillProblem[] } {
  const skills: Skill[] = [];
  const problems: SkillProblem[] = [];
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => !name.startsWith('.')) : [];
  for (const name of names.sort()) {
    const path = join(folder, name);
    if (!lstatSync(path).isDirectory()) continue;
    try {
      skills.push(readSkill(path));
    } catch (error) {
      if (!(error instanceof SkillError)) throw error;
      problems.push({ name, folder: path, problem: error.message });
    }
  }
  return { skills, problems };
}

/**
 * Reads a skill's folder, which must have no links and be small enough to be copied into a sandbox.
 * @throws {SkillError}
 */
export function readSkill(folder: string): Skill {
  const path = join(folder, skillFile);
  if (!existsSync(path)) throw new SkillError(`Expected a file ${skillFile} in ${folder}, found none.`);
  const files = listFiles(folder);
  const head = parseSkill(readFileSync(path, 'utf8'), path);
  return { ...head, folder, files: files.filter((file) => file !== skillFile) };
}

function listFiles(folder: string): string[] {
  const files: string[] = [];
  let bytes = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) continue;
    if (!entry.isFile())
      throw new SkillError(
        `Expected files and folders in ${folder}, found ${path}, which is a link or a device. Copy what it leads to.`,
      );
    const file = relative(folder, path).split(sep).join('/');
    if (/\p{Cc}/u.test(file))
      throw new SkillError(`Expected names without control characters in ${folder}, found ${JSON.stringify(file)}.`);
    bytes += lstatSync(path).size;
    files.push(file);
    if (files.length > mostFiles || bytes > mostBytes)
      throw new SkillError(
        `Expected at most ${mostFiles} files and ${mostBytes / 1024 ** 2} MiB in ${folder}, found more. Leave out what agents do not need.`,
      );
  }
  return files.sort();
}
