import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

interface Choice {
  /** Only those that run. */
  running?: boolean;
  /** Of the Docker daemon; the machine's where absent. */
  host?: string | undefined;
}

/** The names of a project's containers. */
export async function sandboxesOf(projectId: string, { running = false, host }: Choice = {}): Promise<string[]> {
  const output = await docker(
    host,
    ...['ps', ...(running ? [] : ['--all'])],
    ...['--filter', `label=longhaul.project=${projectId}`, '--format', '{{.Names}}'],
  );
  return output.split('\n').filter(Boolean);
}

/** True where one of a project's containers, of that name's end where one is given, runs a command of which this is a part. */
export async function isRunningIn(
  projectId: string,
  command: string,
  { host, sandbox = '' }: { host?: string | undefined; sandbox?: string } = {},
): Promise<boolean> {
  const lists = await inEachSandbox(projectId, host, (name) =>
    name.endsWith(sandbox) ? docker(host, 'top', name) : '',
  );
  return lists.some((list) => list.includes(command));
}

/** Does something with each of a project's containers that run; one that ends meanwhile has no result. */
export async function inEachSandbox<Result>(
  projectId: string,
  host: string | undefined,
  work: (name: string) => Promise<Result> | Result,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const name of await sandboxesOf(projectId, { running: true, host })) {
    try {
      results.push(await work(name));
    } catch {
      // it is stopping
    }
  }
  return results;
}

export async function docker(host: string | undefined, ...parameters: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('docker', [...(host ? ['--host', host] : []), ...parameters]);
  return stdout.trim();
}
