import type { Command } from 'commander';
import type { ProjectHandle } from '../../../client/project/project-handle.ts';
import type { ProjectEvent } from '../../../domain/run/event.ts';
import type { CommandContext } from '../../program/command-context.ts';
import { parseCountOrZero } from '../../program/parse-count.ts';
import { followProject } from '../follow-project.ts';
import { withProject } from '../with-project.ts';

interface LogOptions {
  follow?: boolean;
  lines?: number;
  json?: boolean;
}

/** How many earlier lines are shown when following starts. */
const earlierWhenFollowing = 10;

export function addLog(program: Command, context: CommandContext): void {
  program
    .command('log')
    .description("show a project's events; with -f follow them")
    .argument('[project]')
    .option('-f, --follow', 'follow it live until it ends or waits for a person')
    .option('-n, --lines <count>', 'start with this many of the last lines', parseCountOrZero)
    .option('--json', 'one JSON object per line')
    .action((reference: string | undefined, options: LogOptions) =>
      withProject(context, reference, async (project) => {
        const { createPlainWriter } = await import('../../live/plain-writer.ts');
        const { createJsonWriter } = await import('../../live/plain-writer.ts');
        const { findBegin } = await import('../../live/find-begin.ts');
        const { createLiveState } = await import('../../live/live-state.ts');
        const { colorsFor } = await import('../../render/style.ts');
        const { isTerminal } = await import('../../../domain/project/statuses.ts');
        const status = await project.status();
        const [{ number: latest } = { number: 0 }] = await project.log({ limit: 1 });
        if (options.follow && !isTerminal(status.status)) {
          const { exitCode } = await followProject(context, project, {
            json: options.json,
            from: latest,
            earlier: options.lines ?? (options.json ? Number.MAX_SAFE_INTEGER : earlierWhenFollowing),
          });
          context.setExitCode(exitCode);
          return;
        }
        const { stdout, environment, withCommandName } = context;
        const writer = options.json
          ? createJsonWriter(stdout)
          : createPlainWriter(stdout, colorsFor(stdout, environment), withCommandName);
        const state = createLiveState(status);
        const begin = await findBegin(project, latest, options.lines ?? latest, writer.isShown);
        if (writer.skip && begin > 0) for (const { data } of await readBefore(project, begin)) writer.skip(data);
        for await (const event of readLog(project, begin)) writer.event(event, state);
        if (options.follow) context.note(`The project is ${status.status}; it has no further events.`);
      }),
    );
}

/** How far back to look for the call of a first line's result; the runs of delegates may be in between. */
const lookBack = 500;

/** The events before the first one shown. */
function readBefore(project: ProjectHandle, begin: number): Promise<ProjectEvent[]> {
  const after = Math.max(0, begin - lookBack);
  return project.log({ after, limit: begin - after });
}

/** In pages, since a project may have hundreds of thousands of events. */
async function* readLog(project: ProjectHandle, begin: number): AsyncGenerator<ProjectEvent> {
  let after = begin;
  for (;;) {
    const events = await project.log({ after });
    yield* events;
    const last = events.at(-1);
    if (!last) return;
    after = last.number;
  }
}
