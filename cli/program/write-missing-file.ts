import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A file that was to be written, and whether it was; an existing one stays as it is. */
export interface MissingFile {
  path: string;
  written: boolean;
}

export async function writeMissingFile(path: string, text: string, mode = 0o644): Promise<MissingFile> {
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeFile(path, text, { mode, flag: 'wx' });
    return { path, written: true };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return { path, written: false };
  }
}

export function describeMissingFile({ path, written }: MissingFile): string {
  return written ? `Wrote ${path}` : `${path} already exists and was not changed.`;
}
