import { chmod, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';
import { execa, execaSync } from 'execa';

const project = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** The fate of the git command that was starting when its process was killed. */
export type Orphan = 'never-starts' | 'runs-on';

/** Calls a `ProjectRepository` in a process of its own, which is killed with SIGKILL at a chosen git command. */
export interface KilledProcess {
  /** The git commands of an undisturbed run, in order. */
  commands(folder: string, call: string): Promise<string[]>;
  /**
   * Runs `call` (e.g. `repository.head()`) and kills the process as its git command with this number (from 0), or the first with these words, begins. That
   * command, if it runs on, does so once the function that is returned is called.
   */
  killAt(folder: string, call: string, command: number | string, orphan: Orphan): Promise<() => Promise<void>>;
  /** Runs `call` undisturbed as the user of that number; returns what the process complained of. */
  complaintOf(folder: string, call: string, user: number): Promise<string>;
}

/**
 * The commands worth a kill. One that moves the branch or the files: before it, while it runs on, and after it. Each one that writes only objects or
 * Longhaul's own index: while it runs on, once however often it comes, since a copy of it leaves the same behind.
 */
export function deathsIn(commands: string[]): Array<[number, Orphan]> {
  const moves = (command = '') => /^(update-ref|read-tree -m)/.test(command);
  const writes = (command: string) => /^(read-tree|update-index|commit-tree)/.test(command);
  const shapes = commands.map((command) => command.replaceAll(/\b[0-9a-f]{40}\b/g, '<id>'));
  return shapes.flatMap((command, number): Array<[number, Orphan]> => {
    const deaths: Array<[number, Orphan]> = [];
    if (moves(command) || moves(shapes[number - 1])) deaths.push([number, 'never-starts']);
    if (moves(command) || (writes(command) && shapes.indexOf(command) === number)) deaths.push([number, 'runs-on']);
    return deaths;
  });
}

export async function createKilledProcess(root: string, environment: NodeJS.ProcessEnv): Promise<KilledProcess> {
  const built = await build(root);
  const realGit = execaSync('which', ['git']).stdout;
  let runs = 0;

  async function run(folder: string, call: string, killAt: number | string, orphan: Orphan, user?: number) {
    runs += 1;
    const bin = join(root, `bin-${runs}`);
    await mkdir(bin);
    const wrapper = `#!/bin/sh
case " $* " in *" config "*|*" version "*) exec ${realGit} "$@";; esac
echo "$*" >> ${bin}/commands
number=-1; while read -r line; do number=$((number + 1)); done < ${bin}/commands
case "$number $*" in ${typeof killAt === 'number' ? `"${killAt} "*` : `*"${killAt}"*`})
  kill -9 $PPID
  ${orphan === 'runs-on' ? `until [ -e ${bin}/go ]; do sleep 0.05; done` : 'exit 1'};;
esac
exec ${realGit} "$@"
`;
    await writeFile(join(bin, 'git'), wrapper);
    await chmod(join(bin, 'git'), 0o755);
    await chmod(bin, 0o777);
    const script = `
      import { openProjectRepository } from ${JSON.stringify(join(built, 'git', 'repository', 'open-project-repository.js'))};
      const environment = ${JSON.stringify({ ...environment, PATH: `${bin}:${environment.PATH}` })};
      const repository = await openProjectRepository({ folder: ${JSON.stringify(folder)}, environment });
      await ${call};
    `;
    const result = await execa(process.execPath, ['--input-type=module', '-e', script], {
      reject: false,
      cwd: built,
      env: { NODE_OPTIONS: '' },
      ...(user === undefined ? {} : { uid: user, gid: user }),
    });
    const commands = (await readFile(join(bin, 'commands'), 'utf8')).trim().split('\n');
    return { result, commands, letGo: () => writeFile(join(bin, 'go'), '') };
  }

  return {
    async commands(folder, call) {
      const { result, commands } = await run(folder, call, -1, 'never-starts');
      if (result.exitCode !== 0) throw new Error(`The undisturbed run failed: ${result.stderr}`);
      return commands.map((line) => line.replace(/^--git-dir=\S+ (--work-tree=\S+ )?/, ''));
    },
    async killAt(folder, call, command, orphan) {
      const { result, letGo } = await run(folder, call, command, orphan);
      if (result.signal !== 'SIGKILL') throw new Error(`Not killed: ${result.exitCode} ${result.stderr}`);
      return letGo;
    },
    async complaintOf(folder, call, user) {
      return (await run(folder, call, -1, 'never-starts', user)).result.stderr;
    },
  };
}

/** Compiles git/ and what it imports to JavaScript, since plain Node 20 does not read TypeScript. */
async function build(root: string): Promise<string> {
  const built = join(root, 'built');
  await mkdir(built);
  await writeFile(join(built, 'package.json'), '{"type":"module"}');
  await symlink(join(project, 'node_modules'), join(built, 'node_modules'));
  for (const folder of ['git', 'domain']) {
    const names = await readdir(join(project, folder), { recursive: true });
    for (const name of names.filter((name) => /\.ts$/.test(name))) {
      const file = join(built, folder, name.replace(/\.ts$/, '.js'));
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, await asJavaScript(join(project, folder, name)));
    }
  }
  return built;
}

async function asJavaScript(file: string): Promise<string> {
  const { code } = await transform(await readFile(file, 'utf8'), {
    jsc: { target: 'es2023', parser: { syntax: 'typescript' } },
    module: { type: 'es6' },
  });
  return code.replaceAll(/from '(\.[^']+)\.ts'/g, "from '$1.js'");
}
