import type { Command } from 'commander';
import type { CommandContext } from '../../program/command-context.ts';

interface VerifyOptions {
  commit?: string;
  evidence: string;
  image?: string;
  json?: boolean;
}

export function addVerify(program: Command, context: CommandContext): void {
  program
    .command('verify')
    .description('verify a repository of a project again, by its evidence file; needs Docker, but no stack')
    .argument('[folder]', 'the repository', '.')
    .option('--commit <commit>', 'at this commit (default: the head of its branch)')
    .option('--evidence <file>', 'as `longhaul evidence export` wrote it, relative to the folder', 'evidence.json')
    .option('--image <image>', "the sandboxes' image")
    .option('--json', 'as JSON')
    .action(async (folder: string, options: VerifyOptions) => {
      const { verify } = await import('../verify.ts');
      await verify(context, { folder, ...options });
    });
}
