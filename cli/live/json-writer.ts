import type { ScreenWriter } from './screen-writer.ts';

/** Writes each event as one line of JSON. */
export function createJsonWriter(output: { write(text: string): unknown }): ScreenWriter {
  return {
    event: (event) => void output.write(`${JSON.stringify(event)}\n`),
    isShown: () => true,
    note() {},
    close() {},
  };
}
