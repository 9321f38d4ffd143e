import type { NewMemory, Reader } from '../memory.ts';
import { quote, quoteAll } from './quote.ts';

/** Between the parts of a key; what separates units in ASCII, since ids have other marks in them. */
const separator = '\u001f';

/** A project's memories are its readers' in any session, a global one everybody's, and a lineage is one of a project. */
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
 * Who may read a memory, as one value, so that a search asks one index rather than four. Equal keys do not promise the same
 * readers (`isAdmitted` decides), other keys promise others.
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

/** Begins the keys of what is found no more: something else took its place. */
const past = `past${separator}`;

/** What a search asks for: the readers, and whether another memory took the place. */
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

/** The same in LanceDB's SQL: of the columns of a row, of one whose place is taken now, and of one that gets it back. */
export const foundBySql = {
  now: `concat(regexp_replace(coalesce(superseded_by, ''), '(?s)^.+$', ${quote(past)}), ${readersSql})`,
  superseded: `concat(${quote(past)}, ${readersSql})`,
  restored: readersSql,
};

/** A condition that all memories fulfil which a reader may see, and few others; `history`: also those whose place is taken. */
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
