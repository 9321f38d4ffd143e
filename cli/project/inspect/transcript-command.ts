import type { Command } from 'commander';
import type { Transcript } from '../../../client/project/read-transcript.ts';
import type { CommandContext } from '../../program/command-context.ts';
import { projectInRunId, withProjectOf } from '../with-project.ts';

export function addTranscript(program: Command, context: CommandContext): void {
  program
    .command('transcript')
    .description(
      'show every message of a run, e.g. s3-work; `longhaul sessions <project>` lists runs, `longhaul sessions show <name>` those of a chat',
    )
    .argument('<run>', "a run's id, or the part of it after the project's id")
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

function readTranscript(context: CommandContext, run: string, reference: string | undefined): Promise<Transcript> {
  if (isOfChat(run)) return context.withLonghaul((longhaul) => longhaul.chatTranscript(run));
  return withProjectOf(context, [run, reference], (project, id) => project.transcript(id), projectInRunId(run));
}

/** True for the full id of a chat's run; run ids of projects begin with the project's id. */
function isOfChat(run: string): boolean {
  return /^chat-.+-r\d+(\.|$)/.test(run);
}
