import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { CommandRule, ScriptedResult } from '../../../testing/index.ts';

/** Runs the harness's own Node programs of a scripted sandbox on this machine, in the folder that stands for its workspace. */
export const nodeCommands: CommandRule = {
  match: /^exec node /,
  result: ({ script, environment, input, workspace, cancel }) =>
    new Promise<ScriptedResult>((resolve, reject) => {
      const env = { PATH: process.env.PATH, HOME: join(workspace, '.home'), ...environment };
      const child = spawn('bash', ['-c', script], { cwd: workspace, env, signal: cancel });
      let output = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (piece: string) => {
          output += piece;
        });
      }
      child.on('error', (error) => (cancel.aborted ? resolve({ outcome: 'cancelled' }) : reject(error)));
      child.on('close', (exitCode) => resolve({ output, exitCode: exitCode ?? 1 }));
      child.stdin.end(input ?? '');
    }),
};
