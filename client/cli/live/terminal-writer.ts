import { createLogUpdate } from 'log-update';
import { formatTime } from '../../format/time.ts';
import { truncate } from '../text/align-columns.ts';
import type { Colors } from '../text/colors.ts';
import { describeEvent } from './describe-event.ts';
import type { LiveState } from './live-state.ts';
import { renderLive } from './render-live.ts';
import type { ScreenWriter } from './screen-writer.ts';

/** Milliseconds between redraws when only the clock changes. */
const clockInterval = 500;
/** Milliseconds in which changes are drawn together: about what an eye can distinguish. */
const drawDelay = 40;

/** Keeps a live region at the bottom of the terminal, with the log scrolling above it. */
export function createTerminalWriter(output: NodeJS.WriteStream, colors: Colors): ScreenWriter {
  const region = createLogUpdate(output);
  let latest: LiveState | undefined;
  let pending: NodeJS.Timeout | undefined;

  function draw(): void {
    clearTimeout(pending);
    pending = undefined;
    if (!latest) return;
    const { columns = 80, rows = 24 } = output;
    region(renderLive(latest, { columns, rows, colors, now: Date.now() }).join('\n'));
  }
  function drawSoon(): void {
    pending ??= setTimeout(draw, drawDelay);
  }
  function print(at: Date, text: string): void {
    region.persist(truncate(`${colors.dim(formatTime(at))} ${text}`, output.columns ?? 80));
  }
  const clock = setInterval(draw, clockInterval);
  output.on('resize', draw);
  return {
    event({ data, createdAt }, state) {
      latest = state;
      const line = describeEvent(data, colors);
      if (line?.major) print(createdAt, line.text);
      drawSoon();
    },
    answer(state) {
      latest = state;
      drawSoon();
    },
    note(text) {
      print(new Date(), text);
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
