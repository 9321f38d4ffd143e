import type { Command } from 'commander';
import type { CommandContext } from '../program/command-context.ts';

/** Adds `longhaul memory consolidate` and `longhaul memory consolidations`. */
export function addMemoryConsolidation(memory: Command, context: CommandContext): void {
  const load = () => import('./consolidations.ts');

  memory
    .command('consolidate')
    .description('merge duplicates and propose summaries; each change can be undone')
    .option('--project <project>', 'limit to one project (default: all)')
    .option('--dry-run', 'propose merges without applying them')
    .option('--no-summaries', 'do not ask a model for summaries')
    .option('--json', 'as JSON')
    .action(async (options: { project?: string; dryRun?: boolean; summaries: boolean; json?: boolean }) =>
      (await load()).consolidate(context, options),
    );

  const consolidations = memory.command('consolidations').description('show what consolidations changed and propose');
  consolidations
    .command('list')
    .description('list the latest consolidations and open proposals')
    .option('--json', 'as JSON')
    .action(async (options: { json?: boolean }) => (await load()).listConsolidations(context, options));
  consolidations
    .command('show')
    .description('show one change, or all changes of a consolidation')
    .argument('<id>')
    .option('--json', 'as JSON')
    .action(async (id: string, options: { json?: boolean }) => (await load()).showConsolidation(context, id, options));
  consolidations
    .command('accept')
    .description('apply a proposed or undone change, or all proposals of a consolidation')
    .argument('<id>')
    .option('--replace', 'let a summary replace its sources')
    .action(async (id: string, options: { replace?: boolean }) =>
      (await load()).acceptConsolidation(context, id, options),
    );
  consolidations
    .command('reject')
    .description('reject a proposal; it is not made again')
    .argument('<id>')
    .action(async (id: string) => (await load()).rejectConsolidation(context, id));
  consolidations
    .command('undo')
    .description('undo a change, or all changes of a consolidation; they are not made again')
    .argument('<id>')
    .action(async (id: string) => (await load()).undoConsolidation(context, id));
}
