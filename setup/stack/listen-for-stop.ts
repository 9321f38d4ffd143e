const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Aborts its signal at Ctrl-C, SIGTERM or the end of the terminal; a further one calls the callback given to `onSecondSignal`. */
export function listenForStop(): { signal: AbortSignal; onSecondSignal(callback: () => void): void; release(): void } {
  const controller = new AbortController();
  let secondSignal: (() => void) | undefined;
  const listener = () => {
    if (controller.signal.aborted) secondSignal?.();
    else controller.abort(new Error('stopped by a signal'));
  };
  // Writing to a terminal that is gone fails; stopping in order matters more than reporting it.
  const ignore = () => {};
  for (const signal of signals) process.on(signal, listener);
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignore);
  return {
    signal: controller.signal,
    onSecondSignal(callback) {
      secondSignal = callback;
    },
    release() {
      for (const signal of signals) process.off(signal, listener);
      for (const stream of [process.stdout, process.stderr]) stream.off('error', ignore);
    },
  };
}
