import { setTimeout as delay } from 'node:timers/promises';
import type Docker from 'dockerode';
import { OutputCollector } from '../../command-report.ts';
import { programTimeLimitMs } from '../../limits.ts';
import type { CommandResult, ExecutionRequest } from '../../sandbox.ts';
import { trustedFirst } from '../container/container-spec.ts';
import { layerShell } from '../container/create-layer.ts';
import { translateHostErrors } from '../host/host-errors.ts';
import { type StartedExec, startExec } from './exec.ts';

/** Takes the script from its input whole, so that nothing in the sandbox holds the rest of it. The rest of the input is the script's. */
const wrapper = 'exec 2>&1; eval "shift; $(head -c "$1")"';

/** Runs a script in a fork; see `SandboxFork`. */
export async function execute(
  { container, path }: { container: Docker.Container; path: string },
  request: ExecutionRequest,
): Promise<CommandResult> {
  const { script, input = '', timeoutMs, detach, cancel } = request;
  detach?.throwIfAborted();
  const began = performance.now();
  const text = Buffer.from(script);
  const started = await startExec({
    container,
    command: [layerShell, '-c', wrapper, 'bash', String(text.length)],
    environment: { PATH: trustedFirst(path) },
    input: Buffer.concat([text, Buffer.from(input)]),
    timeLimitMs: timeoutMs + programTimeLimitMs, // `timeoutMs` itself is kept below
  });
  const output = new OutputCollector();
  const finish = (outcome: CommandResult['outcome'], exitCode: number | null): CommandResult => ({
    outcome,
    exitCode,
    output: output.result(),
    durationMs: Math.round(performance.now() - began),
  });
  const ending = new AbortController();
  const { signal } = ending;
  try {
    const stopped = await Promise.race([
      untilExited(started, output, signal),
      delay(timeoutMs, 'timed-out' as const, { signal }),
      whenAborted(cancel, signal).then(() => 'cancelled' as const),
      whenAborted(detach, signal).then(() => Promise.reject(detach?.reason)),
    ]);
    if (stopped === undefined) return finish('exited', await started.exitCode());
    // Nothing that the script started goes on: the sandbox ends with it.
    await translateHostErrors(() => container.kill());
    return finish(stopped, null);
  } finally {
    ending.abort();
    started.release();
  }
}

/** Waits for the end of the script itself: it may close its output earlier, and what it started may hold the output open for longer. */
async function untilExited(started: StartedExec, output: OutputCollector, signal: AbortSignal): Promise<undefined> {
  let isOpen = true;
  const collected = collect(started, output).finally(() => {
    isOpen = false;
  });
  collected.catch(() => {}); // awaited below, unless the host fails first
  for (let wait = 20; !(await started.hasEnded()); wait = Math.min(wait * 2, 500)) {
    const pause = delay(wait, undefined, { signal });
    await (isOpen ? Promise.race([collected, pause]) : pause);
  }
  // What the script itself wrote is on its way.
  await Promise.race([collected, delay(200)]);
}

async function collect({ pieces }: StartedExec, output: OutputCollector): Promise<void> {
  for await (const { bytes } of pieces) output.add(bytes);
}

function whenAborted(awaited: AbortSignal | undefined, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (awaited?.aborted) resolve();
    awaited?.addEventListener('abort', () => resolve(), { once: true, signal });
  });
}
