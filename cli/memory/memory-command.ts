import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CommandContext } from '../program/command-context.ts';
import { parseCount } from '../program/parse-count.ts';
import { addMemoryConsolidation } from './consolidation-command.ts';
import type { EditOptions, MemoryFilterOptions, ReindexOptions } from './memories.ts';

export function addMemory(program: Command, context: CommandContext): void {
  const memory = program.command('memory').description('what agents know across sessions and projects');
  const load = () => import('./memories.ts');

  filterable(memory.command('list').description('the newest memories'), 20).action(
    async (options: MemoryFilterOptions) => (await load()).listMemories(context, options),
  );
  memory
    .command('show')
    .description('one memory, with where it came from')
    .argument('<id>')
    .option('--json', 'as JSON')
    .action(async (id: string, options: { json?: boolean }) => (await load()).showMemory(context, id, options));
  filterable(memory.command('search').description('what an agent would find').argument('<words...>'), 10)
    .option('--diverse', 'prefer those that say something new')
    .option('--tokens <count>', 'the most that their texts may have together', parseCount)
    .action(async (words: string[], options: MemoryFilterOptions & { diverse?: boolean; tokens?: number }) =>
      (await load()).searchMemories(context, words.join(' '), options),
    );
  editable(
    memory
      .command('add')
      .description('write one; a fact takes the place of those that it contradicts')
      .argument('<text>'),
  )
    .option('--project <project>', 'for this project only; for all without')
    .action(async (text: string, options: EditOptions & { project?: string }) =>
      (await load()).addMemoryByHand(context, text, options),
    );
  editable(memory.command('edit').description('change one').argument('<id>'))
    .option('--text <text>', 'what it says')
    .action(async (id: string, options: EditOptions & { text?: string }) =>
      (await load()).editMemory(context, id, options),
    );
  memory
    .command('forget')
    .description('remove memories for good; their text leaves the files within two hours of upkeep')
    .argument('<id...>')
    .action(async (ids: string[]) => (await load()).forgetMemories(context, ids));
  memory
    .command('export')
    .description('all memories as lines of JSON, without their vectors')
    .argument('[file]', 'on stdout without')
    .action(async (file: string | undefined) => (await load()).exportMemories(context, file));
  memory
    .command('import')
    .description('write what was exported, by its ids')
    .argument('<file>')
    .action(async (file: string) => (await load()).importMemories(context, file));
  memory
    .command('stats')
    .description('how many there are, and what finds them')
    .option('--json', 'as JSON')
    .action(async (options: { json?: boolean }) => (await load()).showMemoryStats(context, options));
  memory
    .command('cost')
    .description('what models cost that were asked for the memories, and not by an agent')
    .option('--json', 'as JSON')
    .action(async (options: { json?: boolean }) => (await import('./memories.ts')).showMemoryCost(context, options));
  memory
    .command('reindex')
    .description('embed the memories that have no vector of the present model, in the background')
    .option('--status', 'how far it is')
    .option('--here', 'in this process, without the stack; may be interrupted and goes on where it was')
    .option('--json', 'as JSON')
    .action(async (options: ReindexOptions) => (await load()).reindexMemories(context, options));
  addMemoryConsolidation(memory, context);
}

function filterable(command: Command, limit: number): Command {
  return command
    .option('--project <project>', 'as this project sees them; all memories without')
    .option('--kind <kind...>', 'fact, summary, lesson, decision, turn, document or one of your own')
    .option('--tag <tag...>', 'those that have all of these')
    .option('--after <date>', 'created on or after it', parseDate)
    .option('--before <date>', 'created before it', parseDate)
    .option('--history', 'those too that expired or were replaced')
    .addOption(new Option('--limit <count>', 'the most').argParser(parseCount).default(limit))
    .option('--json', 'as JSON');
}

function editable(command: Command): Command {
  return command
    .option('--kind <kind>', 'fact where absent')
    .option('--tag <tag...>', 'its tags')
    .option('--importance <number>', '0 to 1', parseShare)
    .option('--expires <date>', 'found no more from then on', parseDate);
}

function parseDate(text: string): Date {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) throw new InvalidArgumentError('Expected a date such as 2026-05-31.');
  return date;
}

function parseShare(text: string): number {
  const share = Number(text);
  if (share >= 0 && share <= 1) return share;
  throw new InvalidArgumentError('Expected a number from 0 to 1.');
}
