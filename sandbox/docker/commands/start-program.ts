import type { Duplex } from 'node:stream';
import { Readable } from 'node:stream';
import type { ProgramRequest, SandboxProgram } from '../../sandbox.ts';
import { trustedFirst } from '../container/container-spec.ts';
import { translateHostErrors } from '../host/host-errors.ts';
import { demultiplex } from './exec.ts';
import type { SandboxContainer } from './run-command.ts';

/** Starts a program in a sandbox, connected with the caller; see `Sandbox.start`. */
export function startProgram(
  { container, path }: SandboxContainer,
  { command, environment }: ProgramRequest,
): Promise<SandboxProgram> {
  return translateHostErrors(async () => {
    const exec = await container.exec({
      Cmd: command,
      Env: Object.entries({ PATH: trustedFirst(path), ...environment }).map(([name, value]) => `${name}=${value}`),
      AttachStdin: true,
      AttachStdout: true,
      AttachStderr: true,
    });
    const stream = (await exec.start({ hijack: true, stdin: true })) as Duplex;
    return { input: stream, output: Readable.from(readOutput(stream)), close: () => void stream.destroy() };
  });
}

/** What the program writes to its standard output. What it writes to its standard error is lost. */
async function* readOutput(stream: Duplex): AsyncGenerator<Buffer> {
  for await (const { source, bytes } of demultiplex(stream)) if (source === 'stdout') yield bytes;
}
