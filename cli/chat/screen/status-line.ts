import { createLogUpdate } from 'log-update';
import type { ChatStreamEvent } from '../../../client/chat/chat-handle.ts';
import type { CommandContext } from '../../program/command-context.ts';
import { colorsFor, terminalSize } from '../../render/style.ts';
import { type Activity, reduceActivity } from './activity.ts';
import { frameMs, renderActivity } from './render-activity.ts';

/** What an agent does while one question is answered: on stderr, so that stdout has only the answer. */
export interface StatusLine {
  /** Whether there is a line that changes in place. */
  readonly isLive: boolean;
  event(event: ChatStreamEvent): void;
  note(text: string): void;
  /** Takes it off the screen. */
  end(): void;
}

/** Where the cursor of stderr cannot be moved, there are only the notes. */
export function createStatusLine(context: Pick<CommandContext, 'stderr' | 'environment' | 'note'>): StatusLine {
  const { stderr, environment, note } = context;
  if (!stderr.isTTY || environment.TERM === 'dumb') return { isLive: false, event() {}, note, end() {} };
  const region = createLogUpdate(stderr);
  const colors = colorsFor(stderr, environment);
  let activity: Activity | undefined;

  function draw(): void {
    const { columns } = terminalSize(stderr);
    if (activity) region(renderActivity(activity, { columns, colors, now: Date.now() }).join('\n'));
    else region.clear();
  }
  const clock = setInterval(draw, frameMs).unref();
  return {
    isLive: true,
    event(event) {
      activity = reduceActivity(activity, event, Date.now());
      draw();
    },
    note(text) {
      region.clear();
      note(text);
      draw();
    },
    end() {
      clearInterval(clock);
      region.clear();
      region.done();
    },
  };
}
