import type { Command } from 'commander';
import type { CommandContext } from '../program/command-context.ts';

export function addSkills(program: Command, context: CommandContext): void {
  const skills = program.command('skills').description('skills for your agents; see docs/instructions.md');
  const load = () => import('./skills.ts');

  skills
    .command('list')
    .description('list skills of the data folder and of the current folder')
    .option('--json', 'as JSON')
    .action(async (options: { json?: boolean }) => (await load()).listSkillsOf(context, options));
  skills
    .command('show')
    .description('show a skill and its files')
    .argument('<name>')
    .action(async (name: string) => (await load()).showSkill(context, name));
  skills
    .command('add')
    .description("copy a skill's folder into the data folder, for all agents")
    .argument('<folder>', 'a folder with a SKILL.md')
    .action(async (folder: string) => (await load()).addSkillFolder(context, folder));
}
