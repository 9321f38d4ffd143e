import { setTimeout as delay } from 'node:timers/promises';
import type Docker from 'dockerode';
import { followProgress } from './follow-progress.ts';

/** Milliseconds without progress after which a pull counts as impossible; a registry that answers sends some every second. */
const silenceLimit = 20_000;

/**
 * Pulls an image.
 * @throws {Error} with the daemon's reason, or after 20 s without progress.
 */
export async function pullImage(input: {
  docker: Docker;
  image: string;
  onProgress?: (line: string) => void;
  signal?: AbortSignal;
}): Promise<void> {
  const giveUp = new AbortController();
  const signal = AbortSignal.any([giveUp.signal, ...(input.signal ? [input.signal] : [])]);
  let news = Date.now();
  const watch = watchSilence(() => news, giveUp);
  try {
    const stream = await input.docker.pull(input.image, { abortSignal: signal });
    await followProgress(stream, (event) => {
      news = Date.now();
      if (event.status) input.onProgress?.(`${event.id ? `${event.id}: ` : ''}${event.status}`);
    });
  } catch (error) {
    input.signal?.throwIfAborted();
    throw giveUp.signal.aborted ? giveUp.signal.reason : error;
  } finally {
    watch.abort();
  }
}

function watchSilence(lastNews: () => number, giveUp: AbortController): AbortController {
  const stop = new AbortController();
  const look = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      await delay(500, undefined, { signal: stop.signal });
      if (Date.now() - lastNews() > silenceLimit)
        giveUp.abort(new Error(`The registry sent nothing for ${silenceLimit / 1000} s.`));
    }
  };
  look().catch((error: unknown) => {
    if (!stop.signal.aborted) giveUp.abort(error);
  });
  return stop;
}
