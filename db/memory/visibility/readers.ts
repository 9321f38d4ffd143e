import type { NewMemory, Reader } from '../memory.ts';
import { quote, quoteAll } from '../table/quote.ts';

type Readers = Pick<NewMemory, 'scope' | 'sessionId' | 'projectId' | 'lineageId'>;

/** Separates the parts of a key: the ASCII unit separator, since ids contain other punctuation. */
const separator = '\u001f';

/**
 * Who may read a memory, as one value, so that a search queries one index rather than four. Equal keys do not guarantee equal readers (`isAdmitted`
 * decides), but different keys mean different readers.
 */
function readersOf({ scope, sessionId = '', projectId, lineageId = '' }: Readers): string {
  if (scope === 'global') return scope;
  const place = projectId === undefined ? '' : [projectId, lineageId].join(separator);
  return [scope, ...(scope === 'session' ? [sessionId] : []), place].join(separator);
}

/** Prefix of the keys of superseded memories. */
const past = `past${separator}`;

/** The key that a search looks for: the readers, and whether the memory is superseded. */
export function foundBy(memory: Readers, { superseded }: { superseded: boolean }): string {
  return `${superseded ? past : ''}${readersOf(memory)}`;
}

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
