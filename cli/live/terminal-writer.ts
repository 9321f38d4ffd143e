import { createLogUpdate } from 'log-update';
import wrapAnsi from 'wrap-ansi';
import { formatTime } from '../../client/format/time.ts';
import { truncate } from '../render/columns.ts';
import { type Colors, terminalSize } from '../render/style.ts';
import { describeEvent, type EventLine } from './describe-event.ts';
import type { LiveState } from './live-state.ts';
import { renderLive } from './render-live.ts';
import type { ScreenWriter } from './screen-writer.ts';

/** Milliseconds between redraws when only the clock changes. */
const clockInterval = 500;
/** Milliseconds in which changes are drawn together: about what an eye can distinguish. */
const drawDelay = 40;

/** Keeps a live region at the bottom of the terminal, with the log scrolling above it. `formatLine` formats each line. */
export function createTerminalWriter(
  output: NodeJS.WriteStream,
  colors: Colors,
  formatLine: (text: string) => string,
): ScreenWriter {
  const region = createLogUpdate(withKnownSize(output));
  let latest: LiveState | undefined;
  let pending: NodeJS.Timeout | undefined;

  function draw(): void {
    clearTimeout(pending);
    pending = undefined;
    if (!latest) return;
    const { reason } = latest;
    const shown = { ...latest, reason: reason && formatLine(reason) };
    region(renderLive(shown, { ...terminalSize(output), colors, now: Date.now() }).join('\n'));
  }
  function drawSoon(): void {
    pending ??= setTimeout(draw, drawDelay);
  }
  function print(at: Date, { text, whole }: Pick<EventLine, 'text' | 'whole'>): void {
    const line = `${colors.dim(formatTime(at))} ${formatLine(text)}`;
    const { columns } = terminalSize(output);
    region.persist(whole ? wrapAnsi(line, columns, { hard: true }) : truncate(line, columns));
  }
  const clock = setInterval(draw, clockInterval);
  output.on('resize', draw);
  return {
    event({ data, createdAt }, state) {
      latest = state;
      const line = describeEvent(data, colors);
      if (line?.major) print(createdAt, line);
      drawSoon();
    },
    isShown: (data) => describeEvent(data, colors)?.major ?? false,
    answer(state) {
      latest = state;
      drawSoon();
    },
    note(text) {
      print(new Date(), { text, whole: true });
      drawSoon();
    },
    close() {
      clearInterval(clock);
      output.off('resize', draw);
      draw();
      region.done();
    },
  };
}

/** log-update takes 0 as a real width. */
function withKnownSize(output: NodeJS.WriteStream): NodeJS.WriteStream {
  const seen = {
    isTTY: output.isTTY,
    write: (text: string) => output.write(text),
    get columns() {
      return terminalSize(output).columns;
    },
    get rows() {
      return terminalSize(output).rows;
    },
  };
  return seen as NodeJS.WriteStream;
}
