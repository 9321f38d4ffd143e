import { setTimeout as sleep } from 'node:timers/promises';
import type Docker from 'dockerode';
import { parseReport, type Report, shownBytes } from '../../command-report.ts';
import { SandboxError } from '../../errors.ts';
import { programTimeLimitMs } from '../../limits.ts';
import type { CommandRequest, CommandResult } from '../../sandbox.ts';
import { exec } from './exec.ts';
import type { ScriptName } from './scripts.ts';

/** A container and access to the programs that run in it. */
export interface SandboxContainer {
  name: string;
  container: Docker.Container;
  script(name: ScriptName): string;
  /** The image's PATH, for programs other than the harness's own. */
  path: string;
}

/**
 * Runs a command under its id; see `Sandbox.run`.
 * @throws {SandboxError} SandboxStopped if the sandbox stops meanwhile: once it is reopened, the same call returns the command's outcome.
 */
export async function runCommand(sandbox: SandboxContainer, request: CommandRequest): Promise<CommandResult> {
  checkId(request.id);
  // A command cancelled before it began must never begin; the mark that `cancelCommand` leaves ensures that.
  if (request.cancel?.aborted) await cancelCommand(sandbox, request.id, 0);
  request.detach?.throwIfAborted();
  const listening = new AbortController();
  const cancelled = new Promise<never>((_resolve, reject) => {
    const cancel = (): void => void cancelCommand(sandbox, request.id, 20).catch(reject);
    request.cancel?.addEventListener('abort', cancel, { once: true, signal: listening.signal });
  });
  const detached = new Promise<never>((_resolve, reject) => {
    const detach = (): void => reject(request.detach?.reason);
    request.detach?.addEventListener('abort', detach, { once: true, signal: listening.signal });
  });
  try {
    return await Promise.race([attachUntilReport(sandbox, request), cancelled, detached]);
  } finally {
    listening.abort();
  }
}

/** A command may kill its keeper, and a keeper may lose its client; attaching again then returns the outcome. */
async function attachUntilReport(sandbox: SandboxContainer, request: CommandRequest): Promise<CommandResult> {
  let answer = '';
  for (let attempt = 0; attempt < 3; attempt++) {
    // A container that is being killed ends what is started in it; a moment later it says that it has stopped.
    await sleep(attempt * 500);
    const { report, exitCode, text } = await attach(sandbox, request);
    if (report?.kind === 'result') return toResult(report, exitCode);
    if (report?.kind === 'refused' && report.reason === 'full') {
      throw new SandboxError(
        'DiskFull',
        `The disk under the home of sandbox ${sandbox.name} is full: nothing can run in it. Free space on the container host, or close the sandbox.`,
      );
    }
    answer = text;
  }
  throw new SandboxError(
    'HarnessFailed',
    `Expected a report on command ${request.id} in sandbox ${sandbox.name}, got: ${answer || 'nothing'}`,
  );
}

async function attach(
  sandbox: SandboxContainer,
  request: CommandRequest,
): Promise<{ report: Report | undefined; exitCode: number; text: string }> {
  const script = Buffer.from(request.script);
  const input = Buffer.from(request.input ?? '');
  const { head, tail } = shownBytes;
  const numbers = [Math.ceil(request.timeoutMs), request.folder ?? '.', script.length, input.length, head, tail];
  const { stdout, stderr, exitCode } = await exec({
    container: sandbox.container,
    command: ['bash', '-c', sandbox.script('run'), 'longhaul', request.id, ...numbers.map(String), sandbox.path],
    input: Buffer.concat([script, input]),
    timeLimitMs: request.timeoutMs + programTimeLimitMs,
    ...(request.environment ? { environment: request.environment } : {}),
    ...(request.detach ? { detach: request.detach } : {}),
  });
  const text = `exit code ${exitCode}, ${stdout.subarray(0, 500).toString('utf8')} ${stderr.slice(0, 500)}`;
  return { report: parseReport(stdout), exitCode, text };
}

function toResult(report: Report & { kind: 'result' }, exitCode: number): CommandResult {
  return {
    outcome: report.outcome,
    // The container host's exit code takes precedence over one read from a file in the sandbox.
    exitCode: report.outcome !== 'exited' ? null : report.attached ? report.exitCode : exitCode,
    output: report.output,
    durationMs: report.durationMs,
  };
}

async function cancelCommand(sandbox: SandboxContainer, id: string, timeoutMs: number): Promise<void> {
  const { exitCode, stderr } = await exec({
    container: sandbox.container,
    command: ['bash', '-c', sandbox.script('cancel'), 'longhaul', id, String(timeoutMs)],
  });
  if (exitCode !== 0) {
    throw new SandboxError(
      'CommandNotEnded',
      `Command ${id} in sandbox ${sandbox.name} still runs 10 s after it was killed${stderr ? ` (${stderr.trim()})` : ''}. Stop the sandbox.`,
    );
  }
}

function checkId(id: string): void {
  if (/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/.test(id)) return;
  throw new RangeError(
    `Expected a command id of up to 200 letters, digits, ".", "_" and "-", not starting with ".", got ${JSON.stringify(id)}.`,
  );
}
