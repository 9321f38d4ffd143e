import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { offeredTools } from '../../../agents/agent-definition.ts';
import { fence } from '../../../agents/fence.ts';
import { skillFile } from '../../../agents/skills/parse-skill.ts';
import { readSkills, type Skill } from '../../../agents/skills/skill-folder.ts';
import { readProject } from '../../../db/project/projects.ts';
import { findInstructions } from '../../../db/transcript/read-instructions.ts';
import type { AgentRun } from '../../../domain/run/agent-run.ts';
import { cutText } from '../../../domain/storable-text.ts';
import type { Dependencies } from '../../dependencies.ts';
import { copySkill } from '../../instructions/copy-skill.ts';
import { type InstructionSource, sourceOfCommit } from '../../instructions/instruction-source.ts';
import { type RepositorySkill, readRepositorySkills } from '../../instructions/repository-skills.ts';
import { createOwners } from '../../run/owners/create-owners.ts';
import { createInSandbox } from '../in-sandbox.ts';
import type { ToolContext, ToolResult, Tools } from '../tool.ts';

/** Characters of a skill's file that an agent is given, some 9,000 tokens. */
const maxCharacters = 32 * 1024;

/** Reads a skill of the person's data folder, whose files are copied into the sandbox, or of the repository, whose files are there already. */
export function createSkillTool(dependencies: Dependencies): Pick<Tools, 'read_skill'> {
  const { database, skillsFolder, openRepository, agents } = dependencies;
  const owners = createOwners(dependencies);
  const inSandbox = createInSandbox(dependencies);
  return {
    async read_skill({ name, file = skillFile }, context) {
      const own = readSkills(skillsFolder);
      const skill = own.skills.find((one) => one.name === name);
      if (skill) return readOwn(skill, file, context);
      const source = await sourceOf(context.run);
      const ofRepository = source && (await readRepositorySkills(source, await source.list()));
      const found = ofRepository?.skills.find((one) => one.name === name);
      if (source && found) return readOfRepository(source, found, file);
      const problem = own.problems.find((one) => one.name === name)?.problem;
      const names = new Set([...own.skills, ...(ofRepository?.skills ?? [])].map((one) => one.name));
      const known = [...names].join(', ') || 'none';
      return { failed: true, text: problem ?? `There is no skill "${name}". There are: ${known}.` };
    },
  };

  async function sourceOf({ owner, runId }: AgentRun): Promise<InstructionSource | undefined> {
    const known = owner.kind === 'project' ? await findInstructions(database, runId) : undefined;
    if (!known) return undefined;
    const { folder, branch } = await readProject(database, owner.id);
    return sourceOfCommit(await openRepository(folder, branch), known.commit);
  }

  async function readOwn(skill: Skill, file: string, context: ToolContext): Promise<ToolResult> {
    if (file !== skillFile && !skill.files.includes(file)) return noFile(skill, file);
    const text = cut(readFileSync(join(skill.folder, file), 'utf8'));
    if (file !== skillFile || !skill.files.length) return { text };
    const { run } = context;
    const runsCommands = offeredTools(run, agents).includes('run_command');
    if (!runsCommands || owners[run.owner.kind].sandboxOf(run) === undefined)
      return { text: `${text}\n\n${describeFiles(skill, undefined)}` };
    return inSandbox(context, async (sandbox) => {
      const place = await copySkill(sandbox, skill, context);
      return { text: `${text}\n\n${describeFiles(skill, place)}` };
    });
  }
}

async function readOfRepository(source: InstructionSource, skill: RepositorySkill, file: string): Promise<ToolResult> {
  const { name, folder, files } = skill;
  const isKnown = file === skillFile || files.includes(file);
  const text = isKnown ? await source.read(`${folder}/${file}`) : undefined;
  if (text === undefined) return noFile(skill, file);
  const shown = fence(`the skill ${name} of the repository`, cut(text), 'It is empty.');
  return { text: file === skillFile && files.length ? `${shown}\n\n${describeFiles(skill, folder)}` : shown };
}

function noFile({ name, files }: Pick<Skill, 'name' | 'files'>, file: string): ToolResult {
  const known = [skillFile, ...files].join(', ');
  return { failed: true, text: `The skill "${name}" has no file "${file}" that can be read. It has: ${known}.` };
}

function describeFiles({ files }: Pick<Skill, 'files'>, place: string | undefined): string {
  const where = place === undefined ? 'Its other files' : `Its other files, in ${place}`;
  return `[${where}: ${files.join(', ')}. read_skill with \`file\` shows one.]`;
}

function cut(text: string): string {
  if (text.length <= maxCharacters) return text;
  return `${cutText(text, maxCharacters)}\n[Cut off here: the file has ${text.length} characters.]`;
}
