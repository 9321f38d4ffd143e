import { formatDuration } from '../../../client/format/time.ts';
import { truncate } from '../../render/columns.ts';
import { wrap } from '../../render/markdown/block-style.ts';
import { printableLine } from '../../render/printable.ts';
import type { Colors } from '../../render/style.ts';
import type { Activity } from './activity.ts';
import { silence } from './describe-chat-event.ts';

export interface ActivityView {
  columns: number;
  colors: Colors;
  /** In milliseconds since 1970. */
  now: number;
  /** The person holds the answer up. */
  isPaused?: boolean;
}

const frames = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';
/** Milliseconds that each picture of the spinner stays. */
export const frameMs = 120;
/** How many lines of the thoughts are shown. */
const thoughtLines = 3;

/** Renders what an agent does right now, in lines that fit the screen. */
export function renderActivity(activity: Activity, view: ActivityView): string[] {
  const { columns, colors, now, isPaused = false } = view;
  const { phase, since, calls, thoughts, delay, silentSince } = activity;
  const elapsed = (from: number) =>
    formatDuration(Math.max(0, Math.floor((now - from) / 1000) * 1000)).replace('.0', '');
  const spin = colors.cyan(frames[Math.floor(now / frameMs) % frames.length] ?? '');
  const trouble = (text: string) => wrap(`${spin} ${colors.yellow(text)}`, columns);
  if (isPaused && phase === 'waiting')
    return [truncate(colors.yellow('Paused. /resume or a message continues.'), columns)];
  if (silentSince !== undefined && !isPaused) return trouble(`${silence} (${elapsed(silentSince)})`);
  if (phase === 'waiting' && delay) return trouble(`${printableLine(delay)} Asking again (${elapsed(since)})`);
  if (phase === 'calling') {
    const [call] = calls;
    const more = calls.length > 1 ? ` and ${calls.length - 1} more` : '';
    const time = ` (${elapsed(since)})${more}`;
    const about = printableLine(`${call?.tool ?? ''} ${call?.preview ?? ''}`);
    const head = `${spin} ${truncate(about, Math.max(1, columns - 2 - time.length))}${colors.dim(time)}`;
    const output = call?.output ? [colors.dim(truncate(`  ${printableLine(call.output)}`, columns))] : [];
    return [truncate(head, columns), ...output];
  }
  const what = { waiting: 'waiting for the model', thinking: 'thinking', answering: 'answering' }[phase];
  const thought = thoughts.trim()
    ? wrap(printableLine(thoughts.slice(-thoughtLines * columns * 2)), columns).slice(-thoughtLines)
    : [];
  return [
    ...thought.map((line) => colors.dim(line)),
    truncate(`${spin} ${colors.dim(`${what} (${elapsed(since)})`)}`, columns),
  ];
}
