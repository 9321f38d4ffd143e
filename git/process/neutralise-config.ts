/**
 * Overrides that disable the programs in a repository's own configuration, given its keys. A merge driver is replaced by git's own three-way merge,
 * since an empty one would silently keep one side.
 */
export function neutraliseConfig(keys: string[]): Record<string, string> {
  const overrides: Record<string, string> = {};
  for (const key of keys) {
    if (/^filter\..*\.(clean|smudge|process)$/s.test(key)) overrides[key] = '';
    else if (/^filter\..*\.required$/s.test(key)) overrides[key] = 'false';
    else if (/^diff\..*\.(command|textconv)$/s.test(key)) overrides[key] = '';
    else if (/^merge\..*\.driver$/s.test(key)) overrides[key] = 'git merge-file -q %A %O %B';
    else if (/^core\.(sshcommand|gitproxy|askpass|editor|alternaterefscommand)$/.test(key)) overrides[key] = 'false';
    else if (/^gpg\..*program$|^gpg\.program$/s.test(key)) overrides[key] = 'false';
  }
  return overrides;
}
