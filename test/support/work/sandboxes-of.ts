import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type Docker from 'dockerode';
import { connectDocker } from '../../../sandbox/docker/host/connect-docker.ts';

interface Choice {
  /** Only running ones. */
  running?: boolean;
  /** The Docker daemon; the machine's if absent. */
  host?: string | undefined;
}

/** The names of a project's containers. */
export async function sandboxesOf(projectId: string, { running = false, host }: Choice = {}): Promise<string[]> {
  return (await containersOf(projectId, { running, host })).map(nameOf);
}

/** Whether a process whose command line contains `command` runs in one of the project's containers; `sandbox` is the end of the container's name. */
export async function isRunningIn(
  projectId: string,
  command: string,
  { host, sandbox = '' }: { host?: string | undefined; sandbox?: string } = {},
): Promise<boolean> {
  const lists = await inEachSandbox(projectId, host, async (name, container) =>
    name.endsWith(sandbox) ? JSON.stringify((await container.top()).Processes) : '',
  );
  return lists.some((list) => list.includes(command));
}

/** Runs `work` for each running container of a project; one that stops in the meantime gives no result. */
export async function inEachSandbox<Result>(
  projectId: string,
  host: string | undefined,
  work: (name: string, container: Docker.Container) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const one of await containersOf(projectId, { running: true, host })) {
    try {
      results.push(await work(nameOf(one), connectDocker(host).getContainer(one.Id)));
    } catch {
      // it is stopping
    }
  }
  return results;
}

/** Whether a running container of these filters of `docker ps` has the file. */
export async function isFileIn(filters: Record<string, string[]>, path: string): Promise<boolean> {
  const docker = connectDocker();
  const [one] = await docker.listContainers({ filters });
  if (one === undefined) return false;
  try {
    (await docker.getContainer(one.Id).infoArchive({ path })).resume(); // else its connection stays open
    return true;
  } catch {
    return false; // there is none yet, or the container is stopping
  }
}

/** Asked over the API: a process of the command for each of the many looks would take the processor from what they wait for. */
function containersOf(projectId: string, { running, host }: Choice): Promise<Docker.ContainerInfo[]> {
  const filters = { label: [`longhaul.project=${projectId}`] };
  return connectDocker(host).listContainers({ all: !running, filters });
}

function nameOf({ Names: [name = ''] }: Docker.ContainerInfo): string {
  return name.slice(1); // after a slash
}

/** `docker exec` can wait for ever where its container stops at that moment. */
const dockerLimit = { timeout: 60_000 };

/** Runs Docker's command. */
export async function docker(host: string | undefined, ...parameters: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(
    'docker',
    [...(host ? ['--host', host] : []), ...parameters],
    dockerLimit,
  );
  return stdout.trim();
}
