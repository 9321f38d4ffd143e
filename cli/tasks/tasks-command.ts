import { Argument, type Command, Option } from 'commander';
import { type Task, type TaskStatus, taskStatuses } from '../../domain/stores/tasks.ts';
import type { CommandContext } from '../program/command-context.ts';
import { findTask } from './find-task.ts';
import { parseDay, parseNumbers, parsePriority, parseTitle } from './parse-task-options.ts';

interface NewTaskOptions {
  description?: string;
  priority?: number;
  due?: string;
  after?: number[];
}

/** Lists and changes what is to be done; chats see the same tasks. */
export function addTasks(program: Command, context: CommandContext): void {
  const tasks = program.command('tasks').description('list and change tasks; chats see the same ones');
  const named = () => new Argument('<task>', 'its number, as the list shows it, or its title');
  const print = async (task: Task) => {
    const { describeTask } = await import('./describe-task.ts');
    context.print(describeTask(task));
  };

  tasks
    .command('list', { isDefault: true })
    .description('list open tasks, most urgent first')
    .addOption(new Option('--status <status>', 'tasks with this status instead').choices(taskStatuses))
    .option('--json', 'as JSON')
    .action(async ({ status, json }: { status?: TaskStatus; json?: boolean }) => {
      const found = await context.withLonghaul((longhaul) => longhaul.stores.tasks.list(status && { status }));
      if (json) return context.printJson(found);
      const { describeTask } = await import('./describe-task.ts');
      const none = `There is no ${status ?? 'open'} task. \`longhaul tasks add <title>\` adds one.`;
      if (found.length) context.print(found.map(describeTask).join('\n'));
      else context.printMessage(none);
    });
  tasks
    .command('show')
    .description('show a task with its description and last note')
    .addArgument(named())
    .option('--json', 'as JSON')
    .action(async (task: string, { json }: { json?: boolean }) => {
      const found = await context.withLonghaul(async (longhaul) =>
        longhaul.stores.tasks.get(await findTask(longhaul, task)),
      );
      if (json) return context.printJson(found);
      await print(found);
      if (found.description) context.writeText(`${found.description}\n`);
      if (found.note !== null) context.writeText(`Note: ${found.note}\n`);
    });
  tasks
    .command('add')
    .description('add a task')
    .argument('<title>', 'up to 200 characters', parseTitle)
    .option('--description <text>', 'what it takes')
    .option('--priority <number>', 'from 1 to 10; 10 is the most urgent (default: 5)', parsePriority)
    .option('--due <day>', 'such as 2026-03-01', parseDay)
    .option('--after <numbers>', 'tasks that have to be done first, such as 1,2', parseNumbers)
    .action(async (title: string, { after: dependsOn, ...options }: NewTaskOptions) =>
      print(await context.withLonghaul((longhaul) => longhaul.stores.tasks.create({ title, dependsOn, ...options }))),
    );
  tasks
    .command('done')
    .description('complete a task; those that it depends on have to be complete or cancelled')
    .addArgument(named())
    .option('--note <text>', 'what came of it')
    .action(async (task: string, { note }: { note?: string }) =>
      print(
        await context.withLonghaul(async (longhaul) =>
          longhaul.stores.tasks.setStatus(await findTask(longhaul, task), 'complete', note),
        ),
      ),
    );
  tasks
    .command('status')
    .description('set the status of a task')
    .addArgument(named())
    .addArgument(new Argument('<status>').choices(taskStatuses))
    .option('--note <text>', 'why')
    .action(async (task: string, status: TaskStatus, { note }: { note?: string }) =>
      print(
        await context.withLonghaul(async (longhaul) =>
          longhaul.stores.tasks.setStatus(await findTask(longhaul, task), status, note),
        ),
      ),
    );
  tasks
    .command('due')
    .description('set the day on which a task is due')
    .addArgument(named())
    .argument('<day>', 'such as 2026-03-01, or none', (day) => (day === 'none' ? null : parseDay(day)))
    .action(async (task: string, due: string | null) =>
      print(
        await context.withLonghaul(async (longhaul) =>
          longhaul.stores.tasks.change(await findTask(longhaul, task), { due }),
        ),
      ),
    );
  tasks
    .command('depends')
    .description('set the tasks that have to be done before a task')
    .addArgument(named())
    .argument('<numbers>', 'such as 1,2, or none', (numbers) => (numbers === 'none' ? [] : parseNumbers(numbers)))
    .action(async (task: string, dependsOn: number[]) =>
      print(
        await context.withLonghaul(async (longhaul) =>
          longhaul.stores.tasks.change(await findTask(longhaul, task), { dependsOn }),
        ),
      ),
    );
}
