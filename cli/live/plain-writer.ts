import { formatTime } from '../../client/format/time.ts';
import type { Colors } from '../text/colors.ts';
import { createCallMemory } from './call-memory.ts';
import { describeEvent } from './describe-event.ts';
import type { ScreenWriter } from './screen-writer.ts';

/** Writes a line with the time for each event worth reading; for pipes, files and continuous integration. `tell` may change the words of a line. */
export function createPlainWriter(
  output: { write(text: string): unknown },
  colors: Colors,
  tell: (text: string) => string,
): ScreenWriter {
  const calls = createCallMemory();
  const print = (at: Date, text: string) => output.write(`${colors.dim(formatTime(at))} ${tell(text)}\n`);
  return {
    event({ data, createdAt }) {
      const line = describeEvent(data, colors, calls.see(data));
      if (line) print(createdAt, line.text);
    },
    skip: (data) => void calls.see(data),
    isShown: (data) => describeEvent(data, colors) !== undefined,
    note: (text) => void print(new Date(), text),
    close() {},
  };
}
