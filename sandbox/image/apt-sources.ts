import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A package source that apt is configured with on this machine. */
export interface AptSource {
  uri: string;
  suite: string;
  components: string[];
  trusted: boolean;
}

/** Reads the binary package sources from apt's configuration folder, in both formats; empty if there is no apt. */
export async function readAptSources(folder = '/etc/apt'): Promise<AptSource[]> {
  const files = [join(folder, 'sources.list')];
  const parts = join(folder, 'sources.list.d');
  for (const name of (await unlessMissing(readdir(parts))) ?? []) files.push(join(parts, name));
  const sources: AptSource[] = [];
  for (const file of files.sort()) {
    if (!/\.(list|sources)$/.test(file)) continue;
    const text = (await unlessMissing(readFile(file, 'utf8'))) ?? '';
    sources.push(...(file.endsWith('.sources') ? parseStanzas(text) : parseLines(text)));
  }
  return sources;
}

/** Parses the one-line format: `deb [options] uri suite component...`. */
export function parseLines(text: string): AptSource[] {
  return text.split('\n').flatMap((line) => {
    const match = /^\s*deb\s+(?:\[([^\]]*)\]\s+)?(\S+)\s+(\S+)\s+([^#]*)/.exec(line);
    if (!match) return [];
    const [, options = '', uri = '', suite = '', components = ''] = match;
    return [{ uri, suite, components: words(components), trusted: /\btrusted=yes\b/.test(options) }];
  });
}

/** Parses the deb822 format: stanzas of `Field: value` lines. */
export function parseStanzas(text: string): AptSource[] {
  const withoutComments = text.replace(/^#.*\n?/gm, '');
  return withoutComments.split(/\n\s*\n/).flatMap((stanza) => {
    const fields = new Map<string, string>();
    for (const field of stanza.replace(/\n[ \t]+/g, ' ').split('\n')) {
      const colon = field.indexOf(':');
      if (colon > 0) fields.set(field.slice(0, colon).trim().toLowerCase(), field.slice(colon + 1).trim());
    }
    if (!words(fields.get('types')).includes('deb') || fields.get('enabled')?.toLowerCase() === 'no') return [];
    return words(fields.get('uris')).flatMap((uri) =>
      words(fields.get('suites')).map((suite) => ({
        uri,
        suite,
        components: words(fields.get('components')),
        trusted: fields.get('trusted')?.toLowerCase() === 'yes',
      })),
    );
  });
}

function words(text = ''): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

async function unlessMissing<Value>(read: Promise<Value>): Promise<Value | undefined> {
  try {
    return await read;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
