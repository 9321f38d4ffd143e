import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../../../config/package-root.ts';

export interface CommandLineEnd {
  code: number | null;
  stdout: string;
  stderr: string;
  /** Both streams, interleaved. */
  output: string;
}

/** The built `longhaul`, running as a process of its own. */
export interface CommandLine {
  hasEnded(): boolean;
  /** The output of both streams so far. */
  said(): string;
  kill(signal: NodeJS.Signals): void;
  ended: Promise<CommandLineEnd>;
}

export function startCommandLine(environment: Record<string, string>, ...parameters: string[]): CommandLine {
  return startWithInput(environment, '', ...parameters);
}

/** Like `startCommandLine`, with input through a pipe. */
export function startWithInput(
  environment: Record<string, string>,
  input: string,
  ...parameters: string[]
): CommandLine {
  const child = spawn(process.execPath, [join(packageRoot(), 'bin', 'longhaul.cjs'), ...parameters], {
    env: environment,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end(input);
  let output = '';
  const only = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      only[name] += chunk;
    });
  }
  return {
    said: () => output,
    kill: (signal) => child.kill(signal),
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    ended: new Promise((resolve) => child.once('close', (code) => resolve({ code, output, ...only }))),
  };
}
