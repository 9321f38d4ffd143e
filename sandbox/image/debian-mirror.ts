import type { AptSource } from './apt-sources.ts';

/** Where the packages of a Debian release come from. */
export interface DebianMirror {
  /** The mirror's address for debootstrap. */
  uri: string;
  /** The lines of a sources.list for the release and its updates. */
  sources: string[];
}

/** Debian's public mirrors, for a machine whose apt has no Debian source. */
const publicArchive = 'http://deb.debian.org/debian';
const publicSecurity = 'http://deb.debian.org/debian-security';
const debianReleases = ['bullseye', 'bookworm', 'trixie', 'forky', 'sid', 'oldstable', 'stable', 'testing', 'unstable'];

/** Chooses a mirror for a release from the machine's own apt sources: those of the release, otherwise those of another Debian release. */
export function chooseDebianMirror(sources: AptSource[], release: string): DebianMirror {
  const usable = sources.filter((source) => /^https?:\/\//.test(source.uri) && source.components.includes('main'));
  const own = usable.filter((source) => [release, `${release}-updates`, `${release}-security`].includes(source.suite));
  const main = own.find((source) => source.suite === release);
  if (main) return { uri: main.uri, sources: own.map(sourceLine) };

  const related = usable.find((source) => debianReleases.includes(source.suite));
  const security = usable.find((source) => debianReleases.some((name) => source.suite === `${name}-security`));
  const archive = related ?? { uri: publicArchive, trusted: false };
  const securityArchive = security ?? (related ? undefined : { uri: publicSecurity, trusted: false });
  const lines = [release, `${release}-updates`].map((suite) => sourceLine({ ...archive, suite }));
  if (securityArchive) lines.push(sourceLine({ ...securityArchive, suite: `${release}-security` }));
  return { uri: archive.uri, sources: lines };
}

/** A source line without the user name and password in its address. */
export function withoutCredentials(line: string): string {
  return line.replace(/(https?:\/\/)[^\s/@]*@/, '$1');
}

function sourceLine(source: { uri: string; suite: string; trusted: boolean }): string {
  return `deb ${source.trusted ? '[trusted=yes] ' : ''}${source.uri} ${source.suite} main`;
}
