import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../../config/package-root.ts';

export interface CommandLineEnd {
  code: number | null;
  /** Of both streams. */
  output: string;
}

/** `longhaul`, as built, at work as a process of its own. */
export interface CommandLine {
  hasEnded(): boolean;
  ended: Promise<CommandLineEnd>;
}

export function startCommandLine(environment: Record<string, string>, ...parameters: string[]): CommandLine {
  const child = spawn(process.execPath, [join(packageRoot(), 'bin', 'longhaul.mjs'), ...parameters], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  return {
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    ended: new Promise((resolve) => child.once('close', (code) => resolve({ code, output }))),
  };
}
