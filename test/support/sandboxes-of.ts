import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

interface Choice {
  /** Only running ones. */
  running?: boolean;
  /** The Docker daemon; the machine's if absent. */
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

/** Whether a process whose command line contains `command` runs in one of the project's containers; `sandbox` is the end of the container's name. */
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

/** Runs `work` for each running container of a project; one that stops in the meantime gives no result. */
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
