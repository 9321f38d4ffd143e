import type { Command } from 'commander';
import type { CommandContext } from '../program/command-context.ts';

/** Adds `longhaul memory consolidate` and `longhaul memory consolidations`. */
export function addMemoryConsolidation(memory: Command, context: CommandContext): void {
  const load = () => import('./consolidations.ts');

  memory
    .command('consolidate')
    .description('merge what repeats and propose summaries; each change can be undone')
    .option('--project <project>', 'only the memories of this project; all without')
    .option('--dry-run', 'only propose what would be merged')
    .option('--no-summaries', 'ask no model for summaries')
    .option('--json', 'as JSON')
    .action(async (options: { project?: string; dryRun?: boolean; summaries: boolean; json?: boolean }) =>
      (await load()).consolidate(context, options),
    );

  const consolidations = memory.command('consolidations').description('what consolidations did, and what they propose');
  consolidations
    .command('list')
    .description('the newest consolidations, and the proposals that wait')
    .option('--json', 'as JSON')
    .action(async (options: { json?: boolean }) => (await load()).listConsolidations(context, options));
  consolidations
    .command('show')
    .description('the changes of a consolidation, or one change')
    .argument('<id>')
    .option('--json', 'as JSON')
    .action(async (id: string, options: { json?: boolean }) => (await load()).showConsolidation(context, id, options));
  consolidations
    .command('accept')
    .description('do what is proposed, or what was undone; of a consolidation, all that it proposes')
    .argument('<id>')
    .option('--replace', 'let a summary take the place of what it sums up')
    .action(async (id: string, options: { replace?: boolean }) =>
      (await load()).acceptConsolidation(context, id, options),
    );
  consolidations
    .command('reject')
    .description('turn down what is proposed; it does not come again')
    .argument('<id>')
    .action(async (id: string) => (await load()).rejectConsolidation(context, id));
  consolidations
    .command('undo')
    .description('take a change back, or all of a consolidation; it is not made again')
    .argument('<id>')
    .action(async (id: string) => (await load()).undoConsolidation(context, id));
}
