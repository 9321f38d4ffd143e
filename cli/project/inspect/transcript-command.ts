import type { Command } from 'commander';
import { DatabaseError } from '../../../db/database-error.ts';
import type { Transcript } from '../../../domain/run/transcript.ts';
import type { CommandContext } from '../../program/command-context.ts';
import { findOnlyProject, withProjectOf } from '../with-project.ts';

export function addTranscript(program: Command, context: CommandContext): void {
  program
    .command('transcript')
    .description(
      'show every message of a run, e.g. s3-work, or of a conversation; `longhaul sessions <project>` and `longhaul chats show <name>` list runs',
    )
    .argument('<run>', "a run's id, or the part of it after the project's id; or the name or id of a conversation")
    .argument('[project]')
    .option('--json', 'as JSON')
    .action(async (run: string, reference: string | undefined, { json }: { json?: boolean }) => {
      const transcript = await readTranscript(context, run, reference);
      if (json) return context.printJson(transcript);
      const { renderTranscript } = await import('../../render/render-transcript.ts');
      const { colorsFor } = await import('../../render/style.ts');
      const colors = colorsFor(context.stdout, context.environment);
      context.print(renderTranscript(transcript, colors));
    });
}

async function readTranscript(
  context: CommandContext,
  run: string,
  reference: string | undefined,
): Promise<Transcript> {
  if (reference !== undefined) return withProjectOf(context, [run, reference], (project, id) => project.transcript(id));
  return context.withLonghaul(async (longhaul) => {
    try {
      return await longhaul.transcript(run);
    } catch (error) {
      if (!(error instanceof DatabaseError && error.code === 'UnknownRun')) throw error;
      const only = findOnlyProject(await longhaul.listProjects()); // whose short id it may be
      if (only === undefined) throw error;
      context.note(`Project: ${only}`);
      return (await longhaul.project(only)).transcript(run);
    }
  });
}
