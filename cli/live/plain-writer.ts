import { formatTime } from '../../client/format/time.ts';
import type { ProjectEventData } from '../../domain/run/event.ts';
import { printableJson } from '../render/printable.ts';
import type { Colors } from '../render/style.ts';
import { describeEvent } from './describe-event.ts';
import type { ScreenWriter } from './screen-writer.ts';

/** Writes a line with the time for each event worth reading; for pipes, files and continuous integration. `formatLine` formats each line. */
export function createPlainWriter(
  output: { write(text: string): unknown },
  colors: Colors,
  formatLine: (text: string) => string,
): ScreenWriter {
  const calls = createCallMemory();
  const print = (at: Date, text: string) => output.write(`${colors.dim(formatTime(at))} ${formatLine(text)}\n`);
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

/** Remembers a turn's tool calls until their results arrive, so that one line can show both. */
export interface CallMemory {
  /** For a completed call, the preview of the call; undefined for any other event. */
  see(event: ProjectEventData): string | undefined;
}

export function createCallMemory(): CallMemory {
  /** The calls of each run's latest turn, by run. */
  const latest = new Map<string, Array<{ preview: string }>>();
  return {
    see(event) {
      if (event.type === 'assistant.message') latest.set(event.run, event.tools);
      if (event.type === 'run.ended') latest.delete(event.run);
      return event.type === 'tool.result' ? latest.get(event.run)?.[event.position]?.preview : undefined;
    },
  };
}

/** Writes each event as one line of JSON. */
export function createJsonWriter(output: { write(text: string): unknown }): ScreenWriter {
  return {
    event: (event) => void output.write(`${printableJson(event)}\n`),
    isShown: () => true,
    note() {},
    close() {},
  };
}
