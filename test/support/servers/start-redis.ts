import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import getPort from 'get-port';

/** A Redis server that keeps nothing. */
export interface TestRedis {
  url: string;
  /** Kills it with SIGKILL and starts it again on the same port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export async function startRedis(): Promise<TestRedis> {
  const port = await getPort();
  let server = await spawnRedis(port);
  async function kill() {
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    async restart() {
      await kill();
      server = await spawnRedis(port);
    },
    stop: kill,
  };
}

async function spawnRedis(port: number): Promise<ChildProcess> {
  const settings = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const server = spawn('redis-server', settings, { stdio: ['ignore', 'pipe', 'inherit'] });
  const output: string[] = [];
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const why =
        cause.code === 'ENOENT' ? 'there is none. Install it: sudo apt-get install redis-server' : cause.message;
      reject(new Error(`Expected the program redis-server, which this test starts, but ${why}`, { cause }));
    });
    server.once('exit', (code) => reject(new Error(`redis-server ended with ${code}: ${output.join('')}`)));
    server.stdout?.on('data', (text) => {
      output.push(`${text}`);
      if (`${text}`.includes('Ready to accept connections')) resolve();
    });
  });
  return server;
}
