import { setTimeout as sleep } from 'node:timers/promises';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Dependencies } from '../dependencies.ts';
import type { ToolContext } from './tool.ts';

/** Milliseconds before the first look at what a command has written, and between two. */
const lookPause = 1_500;
/** Bytes of one look. */
const lookBytes = 4_000;
/** Bytes before the new ones, in which a line may have begun. */
const overlap = 500;
const maxLine = 200;

/** Shows those who watch the last line that a command has written, while it runs. */
export async function showingOutput<Result>(
  { answers }: Pick<Dependencies, 'answers'>,
  sandbox: Sandbox,
  { id, run }: Pick<ToolContext, 'id' | 'run'>,
  work: () => Promise<Result>,
  pause = lookPause,
): Promise<Result> {
  const over = new AbortController();
  void look().catch(() => {}); // the command itself reports a sandbox that fails
  try {
    return await work();
  } finally {
    over.abort();
  }

  async function look(): Promise<void> {
    for (let seen = 0; ; ) {
      await sleep(pause, undefined, { signal: over.signal });
      if (!answers.isWatched(run.owner.id)) continue;
      const log = await sandbox.readLog(id, { offset: Math.max(0, seen - overlap), limit: lookBytes });
      if (!log) continue;
      const pieces: Buffer[] = [];
      for await (const piece of log.bytes) pieces.push(piece as Buffer);
      const line = lastLineOf(Buffer.concat(pieces).toString('utf8'));
      seen = log.totalBytes;
      if (line && !over.signal.aborted) answers.sendLine(run.owner.id, { call: id, line: line.slice(0, maxLine) });
    }
  }
}

/** The last line with words; of one that was rewritten, as by a progress bar, its last state. */
export function lastLineOf(text: string): string | undefined {
  return text
    .split(/[\r\n]+/)
    .findLast((line) => line.trim() !== '')
    ?.trim();
}
