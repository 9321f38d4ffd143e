import { commandName } from '../../config/command-name.ts';
import type { ProjectEvent } from '../../db/events/event.ts';
import { isTerminal } from '../../db/statuses.ts';
import type { ProjectHandle } from '../project/project-handle.ts';
import type { CommandContext } from './command-context.ts';
import { type ExitCode, exitCodes } from './exit-code.ts';
import type { LiveState } from './live/live-state.ts';
import type { ScreenWriter } from './live/screen-writer.ts';

export interface FollowRequest {
  json?: boolean | undefined;
  /** The number of the last event that is not new. */
  from: number;
  /** How many events up to `from` are shown. */
  earlier: number;
  /** Ends following at this event, besides the project's own end. */
  isOver?: (event: ProjectEvent, state: LiveState) => boolean;
}

/** Follows a project live until it ends, waits for a person, or Ctrl-C. Says how to follow it again and returns the exit code. */
export async function followProject(
  context: CommandContext,
  project: ProjectHandle,
  request: FollowRequest,
): Promise<{ state: LiveState; exitCode: ExitCode }> {
  const { followLive } = await import('./live/follow-live.ts');
  const signal = context.interruptSignal();
  const state = await followLive(project, {
    writer: await openWriter(context, request.json ?? false),
    signal,
    from: request.from,
    earlier: request.earlier,
    isOver: (event, state) => endsFollowing(event) || (request.isOver?.(event, state) ?? false),
  });
  if (signal.aborted) {
    const command = commandName(context.environment);
    context.note(`No longer following; the project goes on. Come back with: ${command} log -f ${project.id}`);
    return { state, exitCode: exitCodes.interrupted };
  }
  return { state, exitCode: exitCodeOfStatus(state) };
}

function endsFollowing({ data }: ProjectEvent): boolean {
  return data.type === 'project-changed' && (isTerminal(data.status) || data.status === 'WAITING');
}

function exitCodeOfStatus({ status }: LiveState): ExitCode {
  if (status === 'WAITING') return exitCodes.waits;
  return status === 'ABANDONED' || status === 'FAILED' ? exitCodes.failed : exitCodes.done;
}

async function openWriter(context: CommandContext, json: boolean): Promise<ScreenWriter> {
  const { stdout, environment } = context;
  if (json) {
    const { createJsonWriter } = await import('./live/json-writer.ts');
    return createJsonWriter(stdout);
  }
  const { colorsFor } = await import('./text/colors.ts');
  const colors = colorsFor(stdout, environment);
  if (stdout.isTTY && environment.TERM !== 'dumb') {
    const { createTerminalWriter } = await import('./live/terminal-writer.ts');
    return createTerminalWriter(stdout, colors);
  }
  const { createPlainWriter } = await import('./live/plain-writer.ts');
  return createPlainWriter(stdout, colors);
}
