import { decide } from './decide.ts';
import { describeRule } from './describe-decision.ts';
import type { Rule } from './rule.ts';
import { normalizePath } from './subjects.ts';

/** A commit that is about to get into a person's folder. */
export interface LandingCommit {
  /** Paths that it adds or changes. */
  changed: readonly string[];
  /** All of its symbolic links, with their targets as they are written. */
  links: ReadonlyArray<readonly [path: string, target: string]>;
  /** All of its paths. */
  files: readonly string[];
}

/** Whether a commit may land: not at all, with a person's yes to these files, or if `asked` is empty as it is. */
export type LandingVerdict = { refused: string } | { asked: AskedFile[] };

export interface AskedFile {
  path: string;
  /** Which rule asks, and whose it is. */
  rule: string;
}

/** Judges what a commit would put into a person's folder. Links must stay in the repository, whatever the rules say. */
export function judgeLanding(rules: readonly Rule[], commit: LandingCommit): LandingVerdict {
  const changed = new Set(commit.changed);
  for (const [path, target] of commit.links) {
    // Some of them end the target for the disk, so that it is not what was judged.
    if (changed.has(path) && /\p{Cc}/u.test(target))
      return {
        refused: `The link ${path} points to ${JSON.stringify(target)}, which has control characters. Use names without them.`,
      };
    if (changed.has(path) && resolveLink(path, target) === undefined)
      return {
        refused: `The link ${path} points to ${target}, which leads out of the repository, or could. A link must lead to a file of the repository, by a relative path whose ".." all come first.`,
      };
  }
  const hidden = findRepository(commit.changed, commit.files);
  if (hidden !== undefined) return { refused: describeRepository(hidden) };
  const aliases = aliasesOf(commit);
  if (!aliases)
    return { refused: 'Links of the repository lead to its files in too many ways. Use fewer links to folders.' };
  const verdicts = [...commit.changed.map((path) => ({ path, seenAs: path })), ...aliases].map(({ path, seenAs }) => ({
    path,
    ...decide(rules, { kind: 'Land', subject: seenAs }),
  }));
  const denied = verdicts.find(({ effect }) => effect === 'deny');
  if (denied) return { refused: `${denied.path} must not land: ${denied.rule ? describeRule(denied.rule) : ''}.` };
  const asked = verdicts.flatMap(({ effect, path, rule }) =>
    effect === 'ask' && rule ? [{ path, rule: describeRule(rule) }] : [],
  );
  return { asked: asked.filter(({ path }, index) => asked.findIndex((one) => one.path === path) === index) };
}

/** Complaints about files of a proposal that would land at once beside those that are present, so that no person could be asked. */
export function complainOfLanding(
  rules: readonly Rule[],
  paths: readonly string[],
  present: Iterable<string> = [],
): string[] {
  const hidden = findRepository(paths, [...present, ...paths]);
  const complaints = paths.flatMap((path) => {
    const { effect, rule } = decide(rules, { kind: 'Land', subject: path });
    if (effect === 'allow' || !rule) return [];
    return [`files: \`${rule.text}\` has a person decide on "${path}"; leave it out, since a session can add it`];
  });
  return hidden === undefined ? complaints : [...complaints, `files: ${describeRepository(hidden)}`];
}

function describeRepository(folder: string): string {
  return `The folder ${folder || '.'} has what git takes for a repository of its own (HEAD with objects and refs, or with commondir), whose settings name programs that git runs there. Use other names.`;
}

/**
 * A folder with changes that git takes for a repository, whatever it is called; undefined if there is none. Names count in any case, as on the disks of
 * some machines.
 */
function findRepository(changed: readonly string[], files: readonly string[]): string | undefined {
  const folders = new Map<string, Set<string>>();
  for (const path of files) {
    for (const [, folder = '', name = ''] of `/${foldPath(path)}`.matchAll(gitNames)) {
      folders.set(folder, (folders.get(folder) ?? new Set()).add(name));
    }
  }
  const found = [...folders].filter(([, names]) => isRepository(names)).map(([folder]) => folder);
  const folded = found.length ? changed.map((path) => `/${foldPath(path)}`) : [];
  return found.find((folder) => folded.some((path) => path.startsWith(`${folder}/`)))?.slice(1);
}

/** What git looks for in a folder, each with the folder before it; HEAD and commondir have to be files. */
const gitNames = /(?<=^(.*)\/)(head$|commondir$|objects(?![^/])|refs(?![^/]))/gs;

function isRepository(names: ReadonlySet<string>): boolean {
  return names.has('head') && (names.has('commondir') || (names.has('objects') && names.has('refs')));
}

/** Some disks also leave out characters that cannot be seen. */
function foldPath(path: string): string {
  return path
    .normalize('NFC')
    .toLowerCase()
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '');
}

/** What a link points to, relative to the repository's root; undefined if that is not certainly in the repository. */
function resolveLink(path: string, target: string): string | undefined {
  const folder = path.split('/').slice(0, -1);
  const names = target.split('/').filter((name) => name !== '' && name !== '.');
  const ups = names.findIndex((name) => name !== '..');
  // A ".." after a name could leave a folder by another link.
  const isTangled = ups >= 0 && names.slice(ups).includes('..');
  const resolved = normalizePath([...folder, ...names].join('/'));
  const leaves = target.startsWith('/') || isTangled || resolved === '..' || resolved.startsWith('../');
  return leaves || /^\.git(\/|$)/i.test(resolved) ? undefined : resolved;
}

/** More ways to files through links are not followed: those of links to folders above them multiply. */
const maxAliases = 100_000;

interface Alias {
  /** What changed: the file, or a link on the way to it; undefined if neither did. */
  path: string | undefined;
  seenAs: string;
  /** The links on the way. */
  through: string[];
}

/**
 * The changed paths as they are seen through links to files and folders, and through links to those: `.vscode/tasks.json` may be in a folder of another
 * name. A link is followed once on each way. Undefined if there are too many.
 */
function aliasesOf({ changed, links, files }: LandingCommit): Array<{ path: string; seenAs: string }> | undefined {
  const isChanged = new Set(changed);
  const byPlace = linksByPlace(links);
  const seen = links.some(([link]) => isChanged.has(link)) ? files : changed;
  const left: Alias[] = seen.map((path) => ({
    path: isChanged.has(path) ? path : undefined,
    seenAs: foldPath(path),
    through: [],
  }));
  const aliases: Alias[] = [];
  for (let next = left.pop(); next; next = left.pop()) {
    const { path, seenAs, through } = next;
    for (const place of placesOf(seenAs)) {
      for (const link of byPlace.get(place) ?? []) {
        if (through.includes(link)) continue;
        if (aliases.length >= maxAliases) return undefined;
        const rest = place === '.' ? `/${seenAs}` : seenAs.slice(place.length);
        aliases.push({
          path: isChanged.has(link) ? link : path,
          seenAs: `${foldPath(link)}${rest}`,
          through: [...through, link],
        });
        left.push(...aliases.slice(-1));
      }
    }
  }
  return aliases.flatMap(({ path, seenAs }) => (path === undefined ? [] : [{ path, seenAs }]));
}

/** By what they point to, the links that stay in the repository. */
function linksByPlace(links: LandingCommit['links']): Map<string, string[]> {
  const byPlace = new Map<string, string[]>();
  for (const [link, target] of links) {
    const place = resolveLink(link, target);
    if (place === undefined) continue;
    const folded = foldPath(place);
    byPlace.set(folded, [...(byPlace.get(folded) ?? []), link]);
  }
  return byPlace;
}

/** A path and the folders that it is in, from the top one on. */
function placesOf(path: string): string[] {
  const names = path.split('/');
  return ['.', ...names.map((_, index) => names.slice(0, index + 1).join('/'))];
}
