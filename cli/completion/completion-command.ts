import { Argument, type Command } from 'commander';
import type { CommandContext } from '../program/command-context.ts';

const help = `
In bash:  echo 'eval "$(longhaul completion bash)"' >> ~/.bashrc
In zsh:   echo 'eval "$(longhaul completion zsh)"' >> ~/.zshrc    (after compinit)
In fish:  longhaul completion fish > ~/.config/fish/completions/longhaul.fish`;

export function addCompletion(program: Command, context: CommandContext): void {
  program
    .command('completion')
    .description('print a script with which Tab completes commands and options')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .addHelpText('after', help)
    .action(async (shell: 'bash' | 'zsh' | 'fish') => {
      const { renderCompletion } = await import('./render-completion.ts');
      context.print(renderCompletion(program, shell));
    });
}
