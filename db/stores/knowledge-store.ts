import { randomUUID } from 'node:crypto';
import type { LineageRange } from '../../domain/project/lineage-range.ts';
import type {
  Fact,
  FactFilter,
  FoundFact,
  KnowledgeSource,
  KnowledgeStore,
  Summary,
} from '../../domain/stores/knowledge.ts';
import type { Owner, Removed } from '../../domain/stores/purge.ts';
import { expectKnowledge, typeOfUntyped, unknownFact } from '../../domain/stores/rules/fact-rules.ts';
import { expectId, type Scope } from '../../domain/stores/scope.ts';
import { listAll } from '../memory/list-all.ts';
import type { Memory, MemoryFilter, NewMemory } from '../memory/memory.ts';
import type { MemoryStore } from '../memory/memory-store.ts';
import type { FoundMemory } from '../memory/search/memory-query.ts';

/** The memories, and where a project's present lineage sees its own. */
export interface KnowledgeDependencies {
  memories(): Promise<Pick<MemoryStore, 'remember' | 'change' | 'search' | 'get' | 'list' | 'forget' | 'supersede'>>;
  ranges(projectId: string): Promise<LineageRange[]>;
}

/** The kinds of memories that are facts. */
const factKinds = ['fact', 'preference'];

/** What is known, as it is kept among the memories that agents search. */
export function createKnowledgeStore({ memories, ranges }: KnowledgeDependencies): KnowledgeStore {
  async function toFilter({ reader, types, person, tags, minConfidence }: FactFilter): Promise<MemoryFilter> {
    const { project, session } = reader ?? {};
    const scope = reader && {
      ...(project !== undefined && { project: { id: project, ranges: await ranges(project) } }),
      ...(session !== undefined && { sessionId: session }),
    };
    return { scope: scope ?? 'everything', factTypes: types, person, tags, minConfidence };
  }
  async function find(id: string): Promise<Memory> {
    const [found] = await (await memories()).get([id]);
    if (!found || !factKinds.includes(found.kind)) throw unknownFact(id);
    return found;
  }
  return {
    async addFact({ id = randomUUID(), text, type, confidence = 1, scope = 'global', ...given }) {
      expectKnowledge({ text, confidence, tags: given.tags });
      const { source, person, tags, createdAt, expiresAt } = given;
      const kind = type === 'preference' ? 'preference' : 'fact';
      const store = await memories();
      const [before] = await store.get([id]);
      const about = { id, text, kind, factType: type, confidence, source, person, tags, createdAt, expiresAt };
      await store.remember([{ ...kept(before), ...about, ...ofScope(scope) }]);
      return toFact(await find(id));
    },
    getFact: async (id) => toFact(await find(id)),
    async facts({ limit = 100, ...filter } = {}) {
      const meant = { ...(await toFilter(filter)), kinds: factKinds };
      return (await (await memories()).list(meant, { limit })).map(toFact);
    },
    async changeFact(id, change) {
      expectKnowledge(change);
      await find(id);
      if (!(await (await memories()).change(id, change))) throw unknownFact(id);
      return toFact(await find(id));
    },
    async supersede(id, by) {
      await Promise.all([find(id), find(by)]);
      await (await memories()).supersede([id], by);
    },
    async forget(id) {
      const store = await memories();
      const [found] = await store.get([id]);
      return found !== undefined && factKinds.includes(found.kind) && (await store.forget([id])) > 0;
    },
    async search(question, { limit = 10, ...filter } = {}) {
      const meant = { ...(await toFilter(filter)), kinds: factKinds };
      const found = await (await memories()).search({ ...meant, query: question, limit, neighbours: false });
      return found.map((one): FoundFact => ({ ...toFact(one), score: one.score }));
    },
    async addSummary({ id = randomUUID(), text, scope, person, source, createdAt }) {
      expectKnowledge({ text });
      const store = await memories();
      await store.remember([{ id, text, kind: 'summary', person, source, createdAt, ...ofScope(scope) }]);
      const [written] = await store.get([id]);
      if (!written) throw unknownFact(id);
      return toSummary(written);
    },
    async summaries({ limit = 100, ...filter } = {}) {
      const meant = { ...(await toFilter(filter)), kinds: ['summary'] };
      return (await (await memories()).list(meant, { limit })).map(toSummary);
    },
    async purge(subject, { dryRun = false } = {}) {
      const found: Memory[] = [];
      for await (const memory of listAll(await memories(), {
        ...everything,
        ...('before' in subject ? {} : { belongsTo: belonging(subject) }),
      }))
        if (!('before' in subject) || hasEnded(memory, subject.before)) found.push(memory);
      if (!dryRun) await (await memories()).forget(found.map(({ id }) => id));
      return found.map((memory): Removed => ({ store: 'knowledge', id: memory.id, ...describe(memory) }));
    },
    async *export(owner) {
      for await (const memory of listAll(await memories(), {
        ...everything,
        ...(owner && { belongsTo: belonging(owner) }),
      })) {
        const { kind } = describe(memory);
        const row = kind === 'fact' ? toFact(memory) : kind === 'summary' ? toSummary(memory) : memory;
        yield { store: 'knowledge', kind, row };
      }
    },
  };
}

const everything = { scope: 'everything', history: true } as const;

function belonging(owner: Owner): NonNullable<MemoryFilter['belongsTo']> {
  const { sessions: sessionIds } = owner;
  return 'person' in owner ? { person: owner.person, sessionIds } : { projectId: owner.project, sessionIds };
}

/** Superseded memories and expired ones are kept as history until then. */
function hasEnded({ expiresAt, supersededBy, createdAt }: Memory, before: Date): boolean {
  return (expiresAt !== undefined && expiresAt < before) || (supersededBy !== undefined && createdAt < before);
}

/** What stays of a fact that is written again. */
function kept(before: Memory | undefined): Partial<Memory> {
  return before?.supersededBy === undefined ? {} : before;
}

function describe({ kind, factType, scope }: Memory): Pick<Removed, 'kind' | 'what'> {
  if (factKinds.includes(kind)) return { kind: 'fact', what: factType ?? typeOfUntyped(kind, scope) };
  return kind === 'summary' ? { kind, what: kind } : { kind: 'memory', what: kind };
}

function ofScope(scope: Scope): Pick<NewMemory, 'scope' | 'projectId' | 'sessionId'> {
  if (scope === 'global') return { scope };
  if ('project' in scope) return { scope: 'project', projectId: expectId(scope.project) };
  return { scope: 'session', sessionId: expectId(scope.session) };
}

type Read = Memory | FoundMemory;

function scopeOf({ scope, projectId = '', sessionId = '' }: Read): Scope {
  if (scope === 'global') return scope;
  return scope === 'project' ? { project: projectId } : { session: sessionId };
}

function toFact(memory: Read): Fact {
  const { id, text, kind, factType, confidence = 1, person = null, tags, createdAt, expiresAt, supersededBy } = memory;
  return {
    ...{ id, text, type: factType ?? typeOfUntyped(kind, memory.scope), confidence },
    ...{ source: toSource(memory), person, scope: scopeOf(memory), tags, createdAt },
    ...{ expiresAt: expiresAt ?? null, supersededBy: supersededBy ?? null },
  };
}

function toSummary(memory: Read): Summary {
  const { id, text, person = null, createdAt } = memory;
  return { id, text, scope: scopeOf(memory), person, source: toSource(memory), createdAt };
}

function toSource({ source }: Read): KnowledgeSource {
  return { ...source };
}
