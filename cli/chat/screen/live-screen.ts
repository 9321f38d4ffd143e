import type { ChatStreamEvent } from '../../../client/chat/chat-handle.ts';
import { formatDuration } from '../../../client/format/time.ts';
import { truncateMiddle } from '../../render/columns.ts';
import { wrapWide } from '../../render/markdown/block-style.ts';
import type { Markdown } from '../../render/markdown/load-markdown.ts';
import { printableLine } from '../../render/printable.ts';
import type { Colors } from '../../render/style.ts';
import type { InputLine } from '../input/input-line.ts';
import { type Activity, reduceActivity } from './activity.ts';
import { createAnswerText } from './answer-text.ts';
import type { ChatScreen } from './chat-screen.ts';
import { describeChatEvent } from './describe-chat-event.ts';
import { frameMs, renderActivity } from './render-activity.ts';
import { renderExchange, renderSaid } from './render-exchange.ts';

export interface LiveScreenOptions {
  colors: Colors;
  markdown: Markdown;
  /** Of the terminal. */
  size(): { columns: number; rows: number };
  isOwn(message: string): boolean;
  /** Formats Longhaul's own lines. */
  formatLine(text: string): string;
}

/** Rows of a person's message that are shown. */
const saidShown = 10;

/**
 * Prints a chat above the typed text: finished blocks of an answer stay, the block that is being written and what the agent does are redrawn in place.
 */
export function createLiveScreen(
  input: Pick<InputLine, 'write' | 'setLive' | 'mark' | 'erase'>,
  { colors, markdown, size, isOwn, formatLine }: LiveScreenOptions,
): ChatScreen & { thoughts(): string } {
  const style = { colors, formatLine };
  let activity: Activity | undefined;
  /** The part of the answer that is still being written. */
  let open = '';
  /** Whether an earlier block of the answer is on the screen. */
  let hasBlocks = false;
  /** Whether only the answer was written since its first block. */
  let isAlone = false;
  /** The thoughts of the latest turn that had any. */
  let thoughts = '';
  let isPaused = false;
  let clock: NodeJS.Timeout | undefined;
  /** Lines that are written with the next drawing. */
  let pending: string[] = [];

  const render = (text: string) => markdown.render(text, size().columns);
  /** The open part as it was last rendered: the spinner turns more often than it grows. */
  let rendered = { text: '', columns: 0, lines: [] as string[] };

  /** Writes and draws at once, so that no line is seen twice. */
  function draw(): void {
    const { columns } = size();
    if (rendered.text !== open || rendered.columns !== columns)
      rendered = { text: open, columns, lines: open.trim() ? render(open) : [] };
    const block = rendered.lines.length ? [...(hasBlocks ? [''] : []), ...rendered.lines] : [];
    flush([...block, ...(activity ? renderActivity(activity, { columns, colors, now: Date.now(), isPaused }) : [])]);
    if (activity) clock ??= setInterval(draw, frameMs).unref();
    else clock = void clearInterval(clock);
  }
  function flush(live?: string[]): void {
    const text = pending.map((line) => `${line}\n`).join('');
    pending = [];
    if (text) input.write(text, live);
    else if (live) input.setLive(live);
  }
  /** Adds lines that are no part of the answer. */
  function note(lines: string[]): void {
    if (lines.length) isAlone = false;
    const { columns } = size();
    pending.push(...lines.flatMap((text) => text.split('\n')).flatMap((line) => wrapWide(line, columns)));
  }
  function finish(text: string): void {
    if (!text.trim()) return;
    if (!hasBlocks) {
      flush();
      input.mark();
      isAlone = true;
    }
    pending.push(...(hasBlocks ? [''] : []), ...render(text));
    hasBlocks = true;
  }

  const answer = createAnswerText({
    write(text) {
      open += text;
      const { finished, open: rest } = markdown.split(open);
      open = rest;
      finish(finished);
    },
    discard(why) {
      flush();
      const isGone = !hasBlocks || (isAlone && input.erase());
      open = '';
      hasBlocks = false;
      if (!isGone) note([colors.dim(`[asked again${why ? `: ${printableLine(why)}` : ''}; the answer starts again]`)]);
    },
  });

  function endAnswer(brokenOff: boolean): void {
    answer.end({ brokenOff });
    finish(open);
    open = '';
    hasBlocks = false;
  }
  function said(text: string): void {
    const most = { said: saidShown, answer: saidShown };
    note(renderSaid(text, { colors, columns: size().columns, most }));
  }
  function see(event: ChatStreamEvent): void {
    const before = activity;
    activity = reduceActivity(activity, event, Date.now());
    if (before?.phase !== 'thinking' || activity?.phase === 'thinking') return;
    thoughts = before.thoughts;
    note([colors.dim(`[thought for ${formatDuration(Date.now() - before.since)}; /show thoughts]`)]);
  }

  return {
    line(text) {
      note([formatLine(text)]);
      draw();
    },
    said(text) {
      said(text);
      draw();
    },
    thoughts: () => thoughts,
    event(event) {
      see(event);
      if (event.type === 'delta') answer.add(event.text);
      if (event.type === 'answer-restarted') answer.restart(event.why);
      if (event.type === 'tool-began' || event.type === 'answer' || event.type === 'failure')
        endAnswer(event.type === 'failure');
      const lines = describeChatEvent(event, style);
      note(event.type === 'tool-ended' ? lines.map((line) => truncateMiddle(line, size().columns)) : lines);
      if (event.type === 'message.received' && !isOwn(event.message)) said(event.text);
      draw();
    },
    exchange(exchange) {
      const { columns, rows } = size();
      const most = { said: saidShown, answer: Math.max(saidShown, Math.floor(rows / 2)) };
      note(renderExchange(exchange, { ...style, markdown, columns, most }));
      draw();
    },
    setPaused(now) {
      isPaused = now;
      draw();
    },
    end() {
      activity = undefined;
      endAnswer(true);
      draw();
    },
  };
}
