/** What stops a file tool, worded for the model. `reason` comes from the sandbox. */
export const fileRefusals = {
  outsideWorkspace: (path: string, target: string) =>
    `"${path}" leads out of the workspace, to ${target}. Use a path inside /workspace, best relative to it.`,
  folder: (path: string) => `"${path}" is a folder. Use list_files to list its files.`,
  binary: (path: string, bytes: string) =>
    `"${path}" is a binary file of ${bytes} bytes. Use run_command with a program for its format.`,
  notFile: (path: string) => `"${path}" is neither a file nor a folder (a socket, pipe or device).`,
  notWritten: (path: string, reason: string) => `Could not write "${path}"; it is unchanged. ${reason}`,
  changed: (path: string) =>
    `"${path}" changed during the edit, and nothing was edited. Read it again, then repeat the edit.`,
  tooLarge: (path: string, bytes: string) => `"${path}" has ${bytes} bytes, too many for this tool. Use run_command.`,
  unreadable: (path: string, reason: string) => `Could not read "${path}". ${reason}`,
  unusable: (path: string, reason: string) => `Could not use "${path}". ${reason}`,
  notFolder: (path: string) => `"${path}" is a file, not a folder. Use read_file.`,
  badPattern: (_path: string, reason: string) => `The pattern is invalid: ${reason}`,
};

/** What is near a path that leads nowhere. */
export interface Nearby {
  /** Paths of files of the same name. */
  sameName: string[];
  /** The nearest folder on the path that exists, relative to the workspace. */
  folder: string;
  entries: string[];
}

export function formatMissing(path: string, { sameName, folder, entries }: Nearby): string {
  const parts = [`There is no "${path}".`];
  if (sameName.length > 0) parts.push(`A file with that name is at ${sameName.map((name) => `"${name}"`).join(', ')}.`);
  const place = folder || '.';
  parts.push(
    entries.length > 0 ? `The folder "${place}" contains: ${entries.join(', ')}.` : `The folder "${place}" is empty.`,
  );
  return parts.join(' ');
}
