import { isAbsolute, relative } from 'node:path';

/** Whether a path is a folder or below it; both absolute. */
export function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith('../') && !isAbsolute(way);
}
