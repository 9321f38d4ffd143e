import { gitErrors } from '../error-messages.ts';

export interface ParsedBundle {
  /** Commits that the repository must already have. */
  prerequisites: string[];
  /** A pack that may be thin. */
  pack: Buffer;
}

/**
 * Parses a git bundle (format v2 or v3). `git bundle unbundle` would add its objects unchecked; the pack alone can go through `git index-pack
 * --strict`.
 */
export function parseBundle(bundle: Buffer): ParsedBundle {
  const end = bundle.indexOf('\n\n');
  const [signature, ...lines] = bundle.subarray(0, Math.max(end, 0)).toString('utf8').split('\n');
  if (end === -1 || !(signature === '# v2 git bundle' || signature === '# v3 git bundle')) {
    throw gitErrors.invalidSnapshot('it is not a git bundle');
  }
  const parsed: ParsedBundle = { prerequisites: [], pack: bundle.subarray(end + 2) };
  for (const line of lines) {
    const [, prerequisite, object] = /^(-?)([0-9a-f]{40,64})(?: .*)?$/.exec(line) ?? [];
    if (object === undefined) {
      if (signature === '# v3 git bundle' && /^@object-format=sha(1|256)$/.test(line)) continue;
      throw gitErrors.invalidSnapshot(`its header has an unknown line: ${JSON.stringify(line.slice(0, 80))}`);
    }
    if (prerequisite === '-') parsed.prerequisites.push(object);
  }
  return parsed;
}
