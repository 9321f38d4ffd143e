import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { execa } from 'execa';
import type { HostNetwork } from '../docker/host/host-network.ts';
import { SandboxError } from '../errors.ts';
import type { DebianMirror } from './debian-mirror.ts';
import { baseRecipe } from './image-tag.ts';

/**
 * Installs a minimal Debian into a folder.
 * @throws {SandboxError} DebootstrapMissing if debootstrap is not installed.
 * @throws {SandboxError} BaseImageUnavailable if this process may not run it: it needs Linux and root.
 * @throws {SandboxError} ImageBuild if it fails.
 */
export async function runDebootstrap(input: {
  folder: string;
  mirror: DebianMirror;
  network: HostNetwork;
  onProgress: (line: string) => void;
  signal?: AbortSignal;
}): Promise<void> {
  await checkDebootstrap();
  input.signal?.throwIfAborted();
  const child = execa(
    'debootstrap',
    [`--variant=${baseRecipe.variant}`, baseRecipe.suite, input.folder, input.mirror.uri],
    {
      // Its own process group, so that an abort also kills its child processes.
      detached: true,
      env: input.network.proxy,
      all: true,
      reject: false,
      stdin: 'ignore',
    },
  );
  const stop = (): void => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  };
  input.signal?.addEventListener('abort', stop, { once: true });
  try {
    const lines = createInterface({ input: child.all });
    lines.on('line', (line) => input.onProgress(line.replace(/^I: /, '')));
    const closed = once(lines, 'close');
    const result = await child;
    await closed;
    input.signal?.throwIfAborted();
    if (result.failed) {
      const tail = result.all.split('\n').slice(-15).join('\n');
      throw new SandboxError(
        'ImageBuild',
        `debootstrap could not build the base image (${result.shortMessage}).\n${tail}`,
        {
          cause: result,
        },
      );
    }
  } finally {
    input.signal?.removeEventListener('abort', stop);
  }
}

async function checkDebootstrap(): Promise<void> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    throw new SandboxError(
      'BaseImageUnavailable',
      `Could not pull the image ${baseRecipe.pulled}, and only root on Linux can build one instead. Pull it, or set SANDBOX_IMAGE to an existing image.`,
    );
  }
  const result = await execa('debootstrap', ['--version'], { reject: false });
  if (result.failed) {
    throw new SandboxError(
      'DebootstrapMissing',
      `Could not pull the image ${baseRecipe.pulled}, and debootstrap, which can build one instead, is not installed. Run "apt-get install debootstrap", or set SANDBOX_IMAGE to an existing image.`,
      { cause: result },
    );
  }
}
