import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The existing sockets of Docker daemons, the default one first; each distribution of Docker uses its own path. */
export function defaultSockets(environment: Record<string, string | undefined>): string[] {
  const home = environment.HOME || homedir();
  const runtime = environment.XDG_RUNTIME_DIR || `/run/user/${process.getuid?.()}`;
  const colima = [environment.COLIMA_HOME || join(home, '.colima'), join(home, '.config', 'colima')];
  return [
    '/var/run/docker.sock',
    join(runtime, 'docker.sock'), // rootless
    join(home, '.docker', 'run', 'docker.sock'), // Docker Desktop on macOS
    join(home, '.docker', 'desktop', 'docker.sock'), // and on Linux
    join(home, '.orbstack', 'run', 'docker.sock'),
    ...colima.flatMap((folder) => profilesIn(folder).map((profile) => join(folder, profile, 'docker.sock'))),
    join(home, '.rd', 'docker.sock'), // Rancher Desktop
  ].filter((socket) => existsSync(socket));
}

/** Colima's profiles, `default` first. */
function profilesIn(folder: string): string[] {
  const profiles = existsSync(folder) ? readdirSync(folder) : [];
  return profiles.sort((one, other) => Number(other === 'default') - Number(one === 'default'));
}
