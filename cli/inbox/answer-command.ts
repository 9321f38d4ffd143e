import { Argument, type Command } from 'commander';
import { type RequestAnswer, requestAnswers } from '../../domain/permissions/request.ts';
import type { CommandContext } from '../program/command-context.ts';

export function addAnswer(program: Command, context: CommandContext): void {
  program
    .command('answer')
    .description('answer a request in the inbox; edit says no, and --reason what to change')
    .argument('<id>', 'as `longhaul inbox` shows it, or the start of it')
    .addArgument(new Argument('<answer>').choices(requestAnswers))
    .option('--reason <text>', 'what the agents read')
    .action(async (id: string, answer: RequestAnswer, { reason }: { reason?: string }) => {
      const request = await context.withLonghaul((longhaul) =>
        longhaul.inbox.answer({ id, answer, ...(reason && { reason }) }),
      );
      if (request.answeredBy) context.print(`Answered ${request.id}: ${answer}.`);
      else context.printMessage('The answer counts as soon as a worker runs. `longhaul ps` shows the stack.');
    });
}
