import type { NewMemory, Reader } from '../memory.ts';
import { quote, quoteAll } from './quote.ts';

/** Separates the parts of a key: the ASCII unit separator, since ids contain other punctuation. */
const separator = '\u001f';

/**
 * Parts of the key that do not affect the readers: a project's memories are visible in every session, a global one to everybody, and a lineage
 * implies its project.
 */
const leftOut: ReadonlyArray<readonly [pattern: string, replacement: string]> = [
  [`(?s)^global${separator}.*$`, 'global'],
  [`^project${separator}[^${separator}]*`, 'project'],
  [`${separator}${separator}[^${separator}]*$`, `${separator}${separator}`],
];

const patterns = leftOut.map(([pattern, replacement]) => {
  const dotsAreAll = pattern.startsWith('(?s)');
  return [new RegExp(dotsAreAll ? pattern.slice(4) : pattern, dotsAreAll ? 's' : ''), replacement] as const;
});

/**
 * Who may read a memory, as one value, so that a search queries one index rather than four. Equal keys do not guarantee equal readers (`isAdmitted`
 * decides), but different keys mean different readers.
 */
function readersOf({
  scope,
  sessionId = '',
  projectId = '',
  lineageId = '',
}: Pick<NewMemory, 'scope' | 'sessionId' | 'projectId' | 'lineageId'>): string {
  const key = [scope, sessionId, projectId, lineageId].join(separator);
  return patterns.reduce((left, [pattern, replacement]) => left.replace(pattern, replacement), key);
}

/** Prefix of the keys of superseded memories. */
const past = `past${separator}`;

/** The key that a search looks for: the readers, and whether the memory is superseded. */
export function foundBy(
  memory: Parameters<typeof readersOf>[0],
  { superseded }: { superseded: boolean } = { superseded: false },
): string {
  return `${superseded ? past : ''}${readersOf(memory)}`;
}

const readersSql = leftOut.reduce(
  (sql, [pattern, replacement]) => `regexp_replace(${sql}, ${quote(pattern)}, ${quote(replacement)})`,
  `concat(scope, ${quote(separator)}, coalesce(session_id, ''), ${quote(separator)}, coalesce(project_id, ''), ${quote(separator)}, coalesce(lineage_id, ''))`,
);

/** The same as LanceDB SQL: for a row as it is, for one that is being superseded, and for one that is being restored. */
export const foundBySql = {
  now: `concat(regexp_replace(coalesce(superseded_by, ''), '(?s)^.+$', ${quote(past)}), ${readersSql})`,
  superseded: `concat(${quote(past)}, ${readersSql})`,
  restored: readersSql,
};

/** A condition that holds for all memories a reader may see, and few others; `history` includes superseded ones. */
export function toReadersCondition(
  { project, sessionId, branch, reach }: Reader,
  { history }: { history: boolean },
): string {
  const withPast = (keys: string[]) => keys.flatMap((key) => [key, `${past}${key}`]);
  const own = reach === 'foreign' ? [] : ownKeys({ project, sessionId });
  const global = history ? withPast(['global']) : ['global'];
  const keys = [...(history || branch ? withPast(own) : own), ...(reach === 'own' ? [] : global)];
  const conditions = keys.length ? [isFoundBy(keys)] : [];
  if (reach === 'own' && project) {
    conditions.push(`(${isFoundBy(global)} and project_id = ${quote(project.id)})`);
  }
  return `(${conditions.join(' or ') || 'false'})`;
}

function isFoundBy(keys: string[]): string {
  const [only, ...others] = keys;
  return only !== undefined && !others.length ? `found_by = ${quote(only)}` : `found_by in ${quoteAll(keys)}`;
}

function ownKeys({ project, sessionId }: Reader): string[] {
  const keys: string[] = [];
  if (sessionId !== undefined) keys.push(readersOf({ scope: 'session', sessionId }));
  for (const lineageId of project ? [undefined, ...project.ranges.map((range) => range.lineageId)] : []) {
    const projectId = project?.id;
    keys.push(readersOf({ scope: 'project', projectId, lineageId }));
    if (sessionId !== undefined) keys.push(readersOf({ scope: 'session', sessionId, projectId, lineageId }));
  }
  return keys;
}
