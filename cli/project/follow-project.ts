import type { ProjectHandle } from '../../client/project/project-handle.ts';
import { isTerminal } from '../../domain/project/statuses.ts';
import type { ProjectEvent } from '../../domain/run/event.ts';
import type { LiveState } from '../live/live-state.ts';
import type { ScreenWriter } from '../live/screen-writer.ts';
import type { CommandContext } from '../program/command-context.ts';
import { type ExitCode, exitCodes } from '../program/exit-code.ts';

export interface FollowRequest {
  json?: boolean | undefined;
  /** The number of the last event that is not new. */
  from: number;
  /** How many lines of events up to `from` are shown. */
  earlier: number;
  /** Ends following at this event, besides the project's own end. */
  isOver?: (event: ProjectEvent, state: LiveState) => boolean;
}

/** Follows a project live until it ends, waits for a person, or Ctrl-C. Says how to follow or continue it, and returns the exit code. */
export async function followProject(
  context: CommandContext,
  project: ProjectHandle,
  request: FollowRequest,
): Promise<{ state: LiveState; exitCode: ExitCode }> {
  const { followLive } = await import('../live/follow-live.ts');
  const signal = context.interruptSignal();
  const state = await followLive(project, {
    writer: await openWriter(context, request.json ?? false),
    signal,
    from: request.from,
    earlier: request.earlier,
    findStandstill: await createStandstillCheck(context, project),
    isOver: async (event, state) => (request.isOver?.(event, state) ?? false) || (await endsFollowing(project, event)),
  });
  if (signal.aborted) {
    context.note(`No longer following; the project continues. \`longhaul log -f ${project.id}\` follows it again.`);
    return { state, exitCode: exitCodes.interrupted };
  }
  const next = doesNotGoOn(state) ? await describeNext(project) : undefined;
  if (next) context.note(next);
  return { state, exitCode: exitCodeOfStatus(state) };
}

/** A person who paused it knows that it continues later; a spent budget waits for a person. */
async function endsFollowing(project: ProjectHandle, { data }: ProjectEvent): Promise<boolean> {
  if (data.type !== 'project.changed') return false;
  if (data.status === 'PAUSED') return (await project.status()).overBudget !== null;
  return isTerminal(data.status) || data.status === 'WAITING';
}

function doesNotGoOn({ status }: LiveState): boolean {
  return status === 'WAITING' || status === 'PAUSED' || status === 'FAILED';
}

async function describeNext(project: ProjectHandle): Promise<string | undefined> {
  const { describeNext } = await import('../render/describe-next.ts');
  return describeNext(await project.status());
}

function exitCodeOfStatus({ status }: LiveState): ExitCode {
  if (status === 'WAITING' || status === 'PAUSED') return exitCodes.waits;
  return status === 'ABANDONED' || status === 'FAILED' ? exitCodes.failed : exitCodes.done;
}

/** Looks for a missing worker in this data folder's own stack (others are not visible from here), and for a bug. */
async function createStandstillCheck(
  context: CommandContext,
  project: ProjectHandle,
): Promise<() => Promise<string | undefined>> {
  const { home, temporal } = await context.configuration();
  const { describeDefect } = await import('../render/render-status.ts');
  return async () => {
    if (temporal.address === undefined) {
      const { readStack } = await import('../../setup/stack/state/stack-state.ts');
      const { services } = await readStack(home);
      if (services.some(({ name, pid }) => name === 'worker' && pid === null))
        return 'The project waits because no worker runs. `longhaul ps` shows the stack, `longhaul up -d` starts it.';
    }
    const defect = await project.defect();
    return defect && describeDefect(defect);
  };
}

async function openWriter(context: CommandContext, json: boolean): Promise<ScreenWriter> {
  const { stdout, environment, withCommandName } = context;
  if (json) {
    const { createJsonWriter } = await import('../live/plain-writer.ts');
    return createJsonWriter(stdout);
  }
  const { colorsFor } = await import('../render/style.ts');
  const colors = colorsFor(stdout, environment);
  if (stdout.isTTY && environment.TERM !== 'dumb') {
    const { createTerminalWriter } = await import('../live/terminal-writer.ts');
    return createTerminalWriter(stdout, colors, withCommandName);
  }
  const { createPlainWriter } = await import('../live/plain-writer.ts');
  return createPlainWriter(stdout, colors, withCommandName);
}
