import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type Docker from 'dockerode';
import { SandboxError } from '../../errors.ts';
import { maxOutputBytes, mebibyte, programTimeLimitMs } from '../../limits.ts';
import { systemPath } from '../container/container-spec.ts';
import { translateHostErrors } from '../host/host-errors.ts';

export interface ExecRequest {
  container: Docker.Container;
  /** The program and its arguments; the harness's own bash programs run through `bash -c`. */
  command: string[];
  environment?: Record<string, string>;
  input?: Buffer;
  /** Milliseconds after which the container is killed; `programTimeLimitMs` if absent. */
  timeLimitMs?: number;
  /** Aborting detaches from the process, which keeps running. */
  detach?: AbortSignal;
}

export interface StartedExec {
  /** Throws a `SandboxError` `ProgramTooSlow` when the time limit is over; the container is then killed. */
  pieces: AsyncGenerator<OutputPiece>;
  /** Whether the process has ended, as it may have while something else holds its output open. */
  hasEnded(): Promise<boolean>;
  /** The exit code that the container host reports; call it after the process has ended. */
  exitCode(): Promise<number>;
  /** Detaches from the process, which keeps running. */
  release(): void;
}

/** Starts a process in a running container as the container's user; the program is looked up in `systemPath`. */
export async function startExec(request: ExecRequest): Promise<StartedExec> {
  return translateHostErrors(async () => {
    const exec = await request.container.exec({
      Cmd: request.command,
      Env: Object.entries({ PATH: systemPath, ...request.environment }).map(([name, value]) => `${name}=${value}`),
      AttachStdin: request.input !== undefined,
      AttachStdout: true,
      AttachStderr: true,
    });
    const attached = request.input !== undefined;
    const stream = (await exec.start({ hijack: attached, stdin: attached })) as Duplex;
    const release = (): void => {
      stream.destroy();
    };
    request.detach?.addEventListener('abort', release, { once: true });
    if (request.input !== undefined) stream.end(request.input);
    const pieces = readPieces(stream, () => request.detach?.removeEventListener('abort', release));
    return {
      pieces: withinTimeLimit(request, pieces, release),
      hasEnded: () => translateHostErrors(async () => (await inspectEnd(exec)) !== undefined),
      exitCode: () => translateHostErrors(() => readExitCode(exec)),
      release,
    };
  });
}

async function* withinTimeLimit(
  { container, timeLimitMs = programTimeLimitMs }: ExecRequest,
  pieces: AsyncGenerator<OutputPiece>,
  release: () => void,
): AsyncGenerator<OutputPiece> {
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    release();
  }, timeLimitMs);
  try {
    yield* pieces;
  } finally {
    clearTimeout(timer);
  }
  if (!isOver) return;
  await translateHostErrors(() => container.kill());
  throw new SandboxError(
    'ProgramTooSlow',
    `Something in the sandbox held up one of Longhaul's programs for ${timeLimitMs / 1000} s, so the sandbox was stopped. Leave no named pipes or devices where git and Longhaul read files.`,
  );
}

/**
 * Runs a process in a running container to its end and returns its output.
 * @throws {SandboxError} `OutputTooLong` above `maxOutputBytes`, `ProgramTooSlow` after its time limit; the container is then killed.
 */
export async function exec(request: ExecRequest): Promise<{ exitCode: number; stdout: Buffer; stderr: string }> {
  const started = await startExec(request);
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  let size = 0;
  for await (const { source, bytes } of started.pieces) {
    size += bytes.length;
    if (size > maxOutputBytes) {
      started.release();
      await translateHostErrors(() => request.container.kill());
      throw new SandboxError(
        'OutputTooLong',
        `Something in the sandbox wrote more than ${maxOutputBytes / mebibyte} MiB into the output of one of Longhaul's programs, so the sandbox was stopped.`,
      );
    }
    (source === 'stdout' ? stdout : stderr).push(bytes);
  }
  request.detach?.throwIfAborted();
  return {
    exitCode: await started.exitCode(),
    stdout: Buffer.concat(stdout),
    stderr: Buffer.concat(stderr).toString('utf8'),
  };
}

async function* readPieces(stream: Duplex, done: () => void): AsyncGenerator<OutputPiece> {
  const pieces = demultiplex(stream);
  try {
    while (true) {
      const next = await translateHostErrors(() => pieces.next());
      if (next.done) return;
      yield next.value;
    }
  } catch (error) {
    // Detaching destroyed the stream; the caller knows from its signal.
    if ((error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE') return;
    throw error;
  } finally {
    done();
  }
}

/** The exit code; undefined while the process runs, and before it does: the host attaches its streams first. */
async function inspectEnd(exec: Docker.Exec): Promise<number | undefined> {
  const { Running, ExitCode } = await exec.inspect();
  return Running ? undefined : (ExitCode ?? undefined);
}

/** The host may close the stream shortly before it records the exit. */
async function readExitCode(exec: Docker.Exec): Promise<number> {
  for (let wait = 1; wait < 4_000; wait *= 2) {
    const exitCode = await inspectEnd(exec);
    if (exitCode !== undefined) return exitCode;
    await delay(wait);
  }
  throw new SandboxError(
    'HostUnavailable',
    'The container host closed the output of a process that still runs. Try again; if this repeats, restart the Docker daemon.',
  );
}

/** A piece of a container process's output. */
export interface OutputPiece {
  source: 'stdout' | 'stderr';
  bytes: Buffer;
}

/** Splits the frames in which a container host multiplexes stdout and stderr: an 8-byte header (source, length), then the bytes. */
export async function* demultiplex(stream: NodeJS.ReadableStream): AsyncGenerator<OutputPiece> {
  let pending: Buffer = Buffer.alloc(0);
  let source: OutputPiece['source'] = 'stdout';
  let left = 0;
  for await (const chunk of stream) {
    pending = pending.length === 0 ? (chunk as Buffer) : Buffer.concat([pending, chunk as Buffer]);
    while (pending.length > 0) {
      if (left === 0) {
        if (pending.length < 8) break;
        source = pending[0] === 2 ? 'stderr' : 'stdout';
        left = pending.readUInt32BE(4);
        pending = pending.subarray(8);
        continue;
      }
      const bytes = pending.subarray(0, left);
      pending = pending.subarray(bytes.length);
      left -= bytes.length;
      yield { source, bytes };
    }
  }
}
