import { Readable } from 'node:stream';
import { SandboxError } from '../../errors.ts';
import type { CommandLog } from '../../sandbox.ts';
import { type OutputPiece, startExec } from './exec.ts';
import type { SandboxContainer } from './run-command.ts';

/** See `Sandbox.readLog`. */
export async function readLog(
  sandbox: SandboxContainer,
  commandId: string,
  range?: { offset: number; limit: number },
): Promise<CommandLog | undefined> {
  const part = range ? [String(range.offset), String(range.limit)] : [];
  const started = await startExec({
    container: sandbox.container,
    command: ['bash', '-c', sandbox.script('read-log'), 'longhaul', commandId, ...part],
  });
  // The program writes the log's size first; if even that is missing, there is no log.
  let first = Buffer.alloc(0);
  while (!first.includes(0x0a)) {
    const next = await started.pieces.next();
    if (next.done) {
      const exitCode = await started.exitCode();
      if (exitCode === 44) return undefined;
      throw new SandboxError(
        'HarnessFailed',
        `Expected the log of command ${commandId} in sandbox ${sandbox.name}, got exit code ${exitCode}.`,
      );
    }
    if (next.value.source === 'stdout') first = Buffer.concat([first, next.value.bytes]);
  }
  const end = first.indexOf(0x0a);
  const bytes = Readable.from(bytesOf(first.subarray(end + 1), started.pieces), { objectMode: false });
  return { totalBytes: Number(first.subarray(0, end).toString('latin1')), bytes };
}

async function* bytesOf(first: Buffer, rest: AsyncGenerator<OutputPiece>): AsyncGenerator<Buffer> {
  if (first.length > 0) yield first;
  for await (const piece of rest) if (piece.source === 'stdout') yield piece.bytes;
}
