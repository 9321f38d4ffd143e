import { resolve } from 'node:path';
import { addSkill, findSkill, listSkills } from '../../client/skills/skills.ts';
import type { CommandContext } from '../program/command-context.ts';
import { exitCodes } from '../program/exit-code.ts';
import { alignColumns } from '../render/columns.ts';
import { printable, printableLine } from '../render/printable.ts';
import { listStyle } from '../render/style.ts';

export async function listSkillsOf(context: CommandContext, { json }: { json?: boolean }): Promise<void> {
  const { skills, problems } = listSkills(await placesOf(context));
  if (problems.length) context.setExitCode(exitCodes.failed);
  if (json) return context.printJson([...skills, ...problems]);
  const { colors, width } = listStyle(context);
  const rows = [
    ...skills.map(({ name, description, folder }) => [
      name,
      printableLine(description),
      colors.dim(printableLine(folder)),
    ]),
    ...problems.map(({ name, problem, folder }) => [
      printableLine(name),
      colors.red(printableLine(problem)),
      colors.dim(printableLine(folder)),
    ]),
  ];
  context.printMessage(
    alignColumns(rows, width).join('\n') || 'There are no skills yet. `longhaul skills add <folder>` adds one.',
  );
}

export async function showSkill(context: CommandContext, name: string): Promise<void> {
  const { skill, text } = findSkill(name, await placesOf(context));
  context.print(printable(text.trimEnd()));
  context.note(`In ${skill.folder}${skill.files.length ? `, with ${skill.files.join(', ')}` : ''}.`);
}

export async function addSkillFolder(context: CommandContext, folder: string): Promise<void> {
  const { home } = await context.configuration();
  const skill = await addSkill(home, resolve(context.folder, folder));
  context.print(skill.folder);
  context.note(`Agents are told of "${skill.name}" when their next run or conversation begins.`);
}

async function placesOf(context: CommandContext): Promise<{ home: string; folder: string }> {
  const { home } = await context.configuration();
  return { home, folder: context.folder };
}
