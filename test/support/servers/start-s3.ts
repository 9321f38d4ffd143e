import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export interface S3Server {
  /** The name of its bucket. */
  bucket: string;
  /** The variables that make a program use it. */
  environment: Record<string, string>;
  stop(): Promise<void>;
}

const bucket = 'longhaul';

/**
 * Starts moto's server (`pip install 'moto[s3,server]'`), which keeps objects in memory and supports conditional writes, i.e. refuses to overwrite.
 */
export async function startS3(program: string): Promise<S3Server> {
  const child = spawn(program, ['-H', '127.0.0.1', '-p', '0'], { stdio: ['ignore', 'ignore', 'pipe'] });
  let address: string | undefined;
  const lines = createInterface({ input: child.stderr });
  for await (const line of lines) {
    address = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (address) break;
  }
  if (!address) throw new Error(`Expected ${program} to say where it listens, it ended with code ${child.exitCode}.`);
  child.stderr.resume(); // else it would block once the pipe is full
  await fetch(`${address}/${bucket}`, { method: 'PUT' });
  return {
    bucket,
    environment: {
      AWS_ENDPOINT: address,
      AWS_ALLOW_HTTP: 'true',
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
    },
    async stop() {
      child.kill();
      if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
    },
  };
}
