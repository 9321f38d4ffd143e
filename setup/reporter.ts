import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageRoot } from '../config/package-root.ts';

/** One step in progress, shown on one line. */
export interface Progress {
  /** Shows the current activity. */
  update(what: string): void;
  done(what: string, options?: { alreadyThere?: boolean }): void;
  fail(what: string): void;
}

/** Shows set-up and the stack to a person: a live line on a terminal, plain lines elsewhere. */
export interface Reporter {
  begin(name: string, what?: string): Progress;
  note(text: string): void;
}

export interface ReporterOptions {
  stream?: NodeJS.WritableStream;
  interactive?: boolean;
  colour?: boolean;
}

/** Loads the reporter that `npm start` uses before anything is installed (bin/progress.mjs), so that all steps look the same. */
export async function loadReporter(options: ReporterOptions = {}): Promise<Reporter> {
  const file = pathToFileURL(join(packageRoot(), 'bin', 'progress.mjs')).href;
  const { createReporter } = (await import(file)) as { createReporter(options: ReporterOptions): Reporter };
  return createReporter(options);
}
