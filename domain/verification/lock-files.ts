const lockFile =
  /^(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lock|poetry\.lock|uv\.lock|Pipfile\.lock|requirements[\w.-]*\.txt|go\.sum|Cargo\.lock|Gemfile\.lock|composer\.lock)$/;

/** Whether a file says which packages the set-up installs. */
export function isLockFile(path: string): boolean {
  return lockFile.test(path.slice(path.lastIndexOf('/') + 1));
}

/** Hashes of packages: `sha512-...`, `sha256:...`, `h1:...` of Go, or in hexadecimal. */
const packageHash = /sha\d+[-:][\w+/=-]{20,}|h1:[\w+/=]{20,}|(?<!\w)[0-9a-f]{40}(?:[0-9a-f]{24})?(?!\w)/g;

/** Lines with a hash of what is asked for, rather than of a package: of poetry and Pipenv. */
const hashOfRequest = /content-hash|"sha256": /;

/** A requirement of pip with its version. */
const requirement = /^[\w.-]+(?:\[[^\]]*\])?\s*==\s*[^\s;#]+/gm;

/** The packages, by hash or version, that a lock file named and no longer names. Added ones are no change. */
export function findUnlocked(before: string, now: string): string[] {
  const present = new Set(namesOf(now));
  return [...new Set(namesOf(before))].filter((name) => !present.has(name));
}

function namesOf(text: string): string[] {
  const lines = text.split('\n').filter((line) => !hashOfRequest.test(line));
  const hashes = lines.flatMap((line) => line.match(packageHash) ?? []);
  return [...hashes, ...(text.match(requirement) ?? [])];
}
