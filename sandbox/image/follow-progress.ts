import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** One line of the daemon's progress while it pulls, imports or builds. */
export interface ProgressEvent {
  stream?: string;
  status?: string;
  id?: string;
  error?: string;
}

/**
 * Reads the daemon's progress to its end.
 * @throws {Error} with the daemon's words if it reports an error, or if the stream breaks off.
 */
export async function followProgress(
  stream: NodeJS.ReadableStream,
  onEvent: (event: ProgressEvent) => void,
): Promise<void> {
  const failed = new Promise<never>((_resolve, reject) => {
    stream.once('error', reject);
    stream.once('aborted', () => reject(new Error('The container host ended its answer in the middle.')));
  });
  await Promise.race([failed, readEvents(stream as Readable, onEvent)]);
}

async function readEvents(stream: Readable, onEvent: (event: ProgressEvent) => void): Promise<void> {
  for await (const line of createInterface({ input: stream })) {
    if (line.trim() === '') continue;
    const event = JSON.parse(line) as ProgressEvent;
    if (event.error !== undefined) throw new Error(event.error);
    onEvent(event);
  }
}
