import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { isWithin } from '../is-within.ts';

/** Why a client must not start a project in a folder: it is not in one of those that the person gave to it. Undefined if it is. */
export function refuseFolder(folder: string, allowed: readonly string[]): string | undefined {
  if (!isAbsolute(folder)) return `Expected an absolute path as the folder, got "${folder}".`;
  const place = realPath(folder);
  if (allowed.some((one) => isWithin(place, realPath(one)))) return undefined;
  const given = allowed.length ? `It may be in ${allowed.join(', ')}.` : 'None was given to this server.';
  return `The folder ${folder} is not one that the person gave to you. ${given} They can start the server in another one, or with \`longhaul mcp --folder ${folder}\`, or start the project with \`longhaul start --dir ${folder}\`.`;
}

/** A path with its symbolic links followed as far as it exists. */
function realPath(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const folder = dirname(path);
  return folder === path ? path : join(realPath(folder), basename(path));
}
