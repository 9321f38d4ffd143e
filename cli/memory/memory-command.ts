import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CommandContext } from '../program/command-context.ts';
import { parseCount } from '../program/parse-count.ts';
import { addMemoryConsolidation } from './consolidation-command.ts';
import type { EditOptions, MemoryFilterOptions, ReindexOptions } from './memories.ts';

export function addMemory(program: Command, context: CommandContext): void {
  const memory = program.command('memory').description('list and manage what agents remember');
  const load = () => import('./memories.ts');

  filterable(memory.command('list').description('list the latest memories'), 20).action(
    async (options: MemoryFilterOptions) => (await load()).listMemories(context, options),
  );
  memory
    .command('show')
    .description('show a memory and its source')
    .argument('<id>')
    .option('--json', 'as JSON')
    .action(async (id: string, options: { json?: boolean }) => (await load()).showMemory(context, id, options));
  filterable(memory.command('search').description('search as an agent would').argument('<words...>'), 10)
    .option('--diverse', 'prefer memories that differ from each other')
    .option('--tokens <count>', 'maximum tokens of all results together', parseCount)
    .action(async (words: string[], options: MemoryFilterOptions & { diverse?: boolean; tokens?: number }) =>
      (await load()).searchMemories(context, words.join(' '), options),
    );
  editable(
    memory.command('add').description('add a memory; a fact replaces those that it contradicts').argument('<text>'),
  )
    .option('--project <project>', 'limit to one project (default: all)')
    .action(async (text: string, options: EditOptions & { project?: string }) =>
      (await load()).addMemoryByHand(context, text, options),
    );
  editable(memory.command('edit').description('change a memory').argument('<id>'))
    .option('--text <text>', 'new text')
    .action(async (id: string, options: EditOptions & { text?: string }) =>
      (await load()).editMemory(context, id, options),
    );
  memory
    .command('promote')
    .description('let all projects and chats find a memory of one of them, such as a lesson')
    .argument('<id>')
    .action(async (id: string) => (await load()).promoteMemory(context, id));
  memory
    .command('forget')
    .description('delete memories; maintenance removes their text from the files within two hours')
    .argument('<id...>')
    .action(async (ids: string[]) => (await load()).forgetMemories(context, ids));
  memory
    .command('export')
    .description('write all memories as JSON lines, without vectors')
    .argument('[file]', 'output file (default: stdout)')
    .action(async (file: string | undefined) => (await load()).exportMemories(context, file));
  memory
    .command('import')
    .description('import an export, keeping its ids')
    .argument('<file>')
    .action(async (file: string) => (await load()).importMemories(context, file));
  memory
    .command('stats')
    .description('show counts, model and indexes')
    .option('--json', 'as JSON')
    .action(async (options: { json?: boolean }) => (await load()).showMemoryStats(context, options));
  memory
    .command('cost')
    .description('show the cost of model calls made for the memories')
    .option('--json', 'as JSON')
    .action(async (options: { json?: boolean }) => (await import('./memories.ts')).showMemoryCost(context, options));
  memory
    .command('reindex')
    .description('embed memories that lack a vector of the current model, in the background')
    .option('--status', 'show the progress')
    .option('--here', 'in this process, without the stack; may be interrupted and continued')
    .option('--json', 'as JSON')
    .action(async (options: ReindexOptions) => (await load()).reindexMemories(context, options));
  addMemoryConsolidation(memory, context);
}

function filterable(command: Command, limit: number): Command {
  return command
    .option('--project <project>', 'limit to what one project sees (default: all)')
    .option('--kind <kind...>', 'fact, summary, lesson, decision, turn, document or one of your own')
    .option('--tag <tag...>', 'only memories with all of these tags')
    .option('--after <date>', 'created on or after this date', parseDate)
    .option('--before <date>', 'created before this date', parseDate)
    .option('--history', 'include expired and replaced memories')
    .addOption(new Option('--limit <count>', 'maximum number of results').argParser(parseCount).default(limit))
    .option('--json', 'as JSON');
}

function editable(command: Command): Command {
  return command
    .option('--kind <kind>', 'kind (default: fact)')
    .option('--tag <tag...>', 'its tags')
    .option('--importance <number>', '0 to 1', parseShare)
    .option('--expires <date>', 'date from which it is no longer found', parseDate);
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
