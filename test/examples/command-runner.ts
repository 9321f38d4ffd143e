import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Ran {
  exitCode: number;
  output: string;
}

/** Runs a bash script in a folder, with the Python and pytest that the example needs. */
export type CommandRunner = (script: string, folder: string) => Promise<Ran>;

/**
 * The host's bash where its Python is 3.11 or newer and has pytest, else a container of the newest sandbox image.
 * @throws where there is neither.
 */
export async function findCommandRunner(temporary: string): Promise<CommandRunner> {
  const onHost: CommandRunner = (script, folder) =>
    execute('bash', ['-c', script], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: temporary, TMPDIR: temporary },
    });
  const check = `python3 -c 'import sys, pytest; sys.exit(sys.version_info < (3, 11))'`;
  if ((await onHost(check, temporary)).exitCode === 0) return onHost;

  const listed = await execute('docker', ['images', 'longhaul-sandbox', '--format', '{{.Repository}}:{{.Tag}}']);
  const image = listed.output.split('\n')[0];
  if (listed.exitCode !== 0 || !image) {
    throw new Error(
      'Expected Python 3.11 with pytest, or the sandbox image (`npm run setup` builds it); found neither.',
    );
  }
  const user = `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`;
  return (script, folder) =>
    execute('docker', [
      ...['run', '--rm', '--network', 'none', '--user', user, '--env', 'HOME=/tmp'],
      ...['--volume', `${folder}:/workspace`, '--workdir', '/workspace'],
      ...['--entrypoint', 'bash', image, '-c', script],
    ]);
}

async function execute(
  command: string,
  options: string[],
  settings: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<Ran> {
  try {
    const { stdout, stderr } = await run(command, options, {
      ...settings,
      timeout: 120_000,
      maxBuffer: 64 * 1024 * 1024,
    });
    return { exitCode: 0, output: stdout + stderr };
  } catch (error) {
    const failure = error as { code?: number | string; stdout?: string; stderr?: string; message: string };
    const output = `${failure.stdout ?? ''}${failure.stderr ?? ''}` || failure.message;
    return { exitCode: typeof failure.code === 'number' ? failure.code : 1, output };
  }
}
