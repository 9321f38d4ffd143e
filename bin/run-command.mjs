import { spawn } from 'node:child_process';

/** Thrown when a program that set-up runs exits with a code other than 0; the message contains its output. */
export class CommandFailedError extends Error {
  name = 'CommandFailedError';
}

/** Runs a program, keeping its output in case it fails. */
export async function runCommand(command, parameters, options = {}) {
  const child = spawn(command, parameters, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode, signal) => resolve(signal ?? exitCode));
  });
  if (code === 0) return;
  const end = output.trim().split('\n').slice(-60).join('\n');
  throw new CommandFailedError(`Expected ${[command, ...parameters].join(' ')} to end with 0, got ${code}:\n${end}`);
}
