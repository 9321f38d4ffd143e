import { type Command, Option } from 'commander';
import { type AgentRunStatus, agentRunStatuses } from '../../domain/agent-run/status.ts';
import type { CommandContext } from '../program/command-context.ts';
import { parseCount } from '../program/parse-count.ts';

export function addRuns(program: Command, context: CommandContext): void {
  const runs = program.command('runs').description('runs of your own agents; see docs/agents.md');
  const load = () => import('./runs.ts');
  const id = ['<run>', 'its id, or the start of it'] as const;

  runs
    .command('list', { isDefault: true })
    .description('list runs, newest first')
    .option('--agent <key>', 'runs of one agent')
    .addOption(new Option('--status <status>', 'runs with this status').choices(agentRunStatuses))
    .option('--limit <number>', 'how many at most (default: 50)', parseCount)
    .option('--json', 'as JSON')
    .action(async (options: { agent?: string; status?: AgentRunStatus; limit?: number; json?: boolean }) =>
      (await load()).listRuns(context, options),
    );
  runs
    .command('show')
    .description('show a run with its input and its result')
    .argument(...id)
    .option('--json', 'as JSON')
    .action(async (run: string, options: { json?: boolean }) => (await load()).showRun(context, run, options));
  runs
    .command('events')
    .description('print the events of a run')
    .argument(...id)
    .option('--after <number>', 'only those after this sequence number', parseCount)
    .option('-f, --follow', 'follow the run until it ends')
    .option('--json', 'one JSON document per line')
    .action(async (run: string, options: { after?: number; follow?: boolean; json?: boolean }) =>
      (await load()).printEvents(context, run, options),
    );
  runs
    .command('cancel')
    .description('stop a run')
    .argument(...id)
    .action(async (run: string) => (await load()).cancelRun(context, run));
  runs
    .command('retry')
    .description('start a run again, as a new one')
    .argument(...id)
    .action(async (run: string) => (await load()).retryRun(context, run));
}
