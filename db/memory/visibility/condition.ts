import { isWhole, type LineageRange } from '../../../domain/project/lineage-range.ts';
import type { FactType } from '../../../domain/stores/knowledge.ts';
import { typeOfUntyped } from '../../../domain/stores/rules/fact-rules.ts';
import type { MemoryFilter, Reader } from '../memory.ts';
import { quote, quoteAll, quoteDate } from '../table/quote.ts';
import { isUnreverted, reachesBack } from './admitted.ts';
import { toReadersCondition } from './readers.ts';

/** A filter as a condition that LanceDB applies before it searches; `now` decides what has expired. */
export function toCondition(filter: MemoryFilter, now: Date): string {
  const { scope, history } = filter;
  const conditions: string[] = [];
  if (scope !== 'everything') conditions.push(visibleTo(scope));
  if (!history) {
    conditions.push(notSuperseded(scope === 'everything' ? {} : scope));
    conditions.push(`(expires_at is null or expires_at > ${quoteDate(now)})`);
  }
  return conditions.concat(toMatchingConditions(filter)).join(' and ') || 'true';
}

/** A condition that takes a tenth of the time but admits somewhat more: its results have to be checked with `isAdmitted`. */
export function toLooseCondition(filter: MemoryFilter): string {
  const { scope } = filter;
  const readers = scope === 'everything' ? [] : [toReadersCondition(scope, { history: reachesBack(filter) })];
  return [...readers, ...toMatchingConditions(filter)].join(' and ') || 'true';
}

/** What a filter asks of memories, apart from their visibility. */
export function toMatchingConditions(filter: MemoryFilter): string[] {
  const { kinds, tags, after, before, factTypes, minConfidence, person, belongsTo } = filter;
  const conditions: string[] = [];
  if (factTypes) conditions.push(`(${factTypes.map(isOfType).join(' or ') || 'false'})`);
  if (minConfidence !== undefined) conditions.push(`(confidence is null or confidence >= ${minConfidence})`);
  if (person !== undefined) conditions.push(`person = ${quote(person)}`);
  if (belongsTo) conditions.push(`(${ownersOf(belongsTo).join(' or ') || 'false'})`);
  if (kinds) conditions.push(kinds.length ? `kind in ${quoteAll(kinds)}` : 'false');
  for (const tag of tags ?? []) conditions.push(`array_has(tags, ${quote(tag)})`);
  if (after) conditions.push(`created_at >= ${quoteDate(after)}`);
  if (before) conditions.push(`created_at < ${quoteDate(before)}`);
  return conditions;
}

function ownersOf({ projectId, person, sessionIds }: NonNullable<MemoryFilter['belongsTo']>): string[] {
  return [
    ...(projectId === undefined ? [] : [`project_id = ${quote(projectId)}`]),
    ...(person === undefined ? [] : [`person = ${quote(person)}`]),
    ...(sessionIds?.length ? [`session_id in ${quoteAll(sessionIds)}`] : []),
  ];
}

/** The facts of a type, and those without one that `typeOfUntyped` gives it. */
function isOfType(type: FactType): string {
  const untyped = (['fact', 'preference'] as const).flatMap((kind) =>
    (['global', 'project', 'session'] as const)
      .filter((scope) => typeOfUntyped(kind, scope) === type)
      .map((scope) => `(kind = ${quote(kind)} and scope = ${quote(scope)})`),
  );
  const isUntyped = untyped.length ? ` or (fact_type is null and (${untyped.join(' or ')}))` : '';
  return `fact_type = ${quote(type)}${isUntyped}`;
}

function visibleTo({ project, sessionId, branch, reach }: Reader): string {
  const session = sessionId === undefined ? 'false' : `session_id = ${quote(sessionId)}`;
  const own: string[] = [];
  if (project) {
    const lineage = `(lineage_id is null or ${inRanges('lineage_id', 'sequence', project.ranges)})`;
    own.push(`(project_id = ${quote(project.id)} and ${lineage} and (scope != 'session' or ${session}))`);
  }
  const noted = branch
    ? ` and (source_run is null or source_message is null or ${inRanges('source_run', 'source_message', branch)})`
    : '';
  if (sessionId !== undefined) own.push(`(project_id is null and scope = 'session' and ${session}${noted})`);
  const elsewhere = project ? `(project_id is null or project_id != ${quote(project.id)})` : 'true';
  const foreign = `(scope = 'global' and ${elsewhere})`;
  const wanted = [...(reach === 'foreign' ? [] : own), ...(reach === 'own' ? [] : [foreign])];
  return `(${wanted.join(' or ') || 'false'})`;
}

/** A superseded memory counts again if the project's present lineage, or the chat's branch, has left its replacement behind. */
function notSuperseded({ project, branch }: Reader): string {
  const left: string[] = [];
  const leftBy = (whose: string, ranges: LineageRange[]) => {
    const kept = inRanges('superseded_lineage', 'superseded_sequence', ranges);
    left.push(` or (${whose} and superseded_lineage is not null and not ${kept})`);
  };
  if (project && !isUnreverted(project)) leftBy(`project_id = ${quote(project.id)}`, project.ranges);
  if (branch) leftBy(`project_id is null and scope = 'session'`, branch);
  return left.length ? `(superseded_by is null${left.join('')})` : 'superseded_by is null'; // an index answers this one
}

function inRanges(lineage: string, sequence: string, ranges: LineageRange[]): string {
  const each = ranges.map((range) => {
    const isOfLineage = `${lineage} = ${quote(range.lineageId)}`;
    return isWhole(range) ? isOfLineage : `(${isOfLineage} and ${sequence} <= ${range.upToSequence})`;
  });
  return `(${each.join(' or ') || 'false'})`;
}
