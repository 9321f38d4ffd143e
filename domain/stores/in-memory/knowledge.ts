import type {
  Fact,
  FactChange,
  FactFilter,
  FoundFact,
  KnowledgeStore,
  NewFact,
  NewSummary,
  Summary,
} from '../knowledge.ts';
import type { ExportedRow, Owner, PurgeSubject, Removed } from '../purge.ts';
import { expectKnowledge, unknownFact } from '../rules/fact-rules.ts';
import { type Scope, scopeKey, scopesOf } from '../scope.ts';

/** Keeps what is known as long as the process lives; finds it by its words alone. */
export class InMemoryKnowledgeStore implements KnowledgeStore {
  readonly #facts = new Map<string, Fact>();
  readonly #summaries = new Map<string, Summary>();

  async addFact(given: NewFact): Promise<Fact> {
    expectKnowledge(given);
    const {
      id = crypto.randomUUID(),
      text,
      type,
      confidence = 1,
      source = {},
      person = null,
      scope = 'global',
    } = given;
    const { tags = [], createdAt = new Date(), expiresAt = null } = given;
    const supersededBy = this.#facts.get(id)?.supersededBy ?? null;
    const about = { id, text, type, confidence, source: { ...source }, person, scope, tags: [...tags] };
    this.#facts.set(id, { ...about, createdAt, expiresAt, supersededBy });
    return this.getFact(id);
  }

  async getFact(id: string): Promise<Fact> {
    return copy(this.#find(id));
  }

  async facts({ limit = 100, ...filter }: FactFilter & { limit?: number | undefined } = {}): Promise<Fact[]> {
    return this.#current(filter).slice(0, limit);
  }

  async changeFact(id: string, change: FactChange): Promise<Fact> {
    expectKnowledge(change);
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    this.#facts.set(id, copy({ ...this.#find(id), ...given }));
    return this.getFact(id);
  }

  async supersede(id: string, by: string): Promise<void> {
    this.#find(by);
    this.#find(id).supersededBy = by;
  }

  async forget(id: string): Promise<boolean> {
    return this.#facts.delete(id);
  }

  async search(
    question: string,
    { limit = 10, ...filter }: FactFilter & { limit?: number | undefined } = {},
  ): Promise<FoundFact[]> {
    const asked = wordsOf(question);
    return this.#current(filter)
      .map((fact) => ({ ...fact, score: share(asked, wordsOf(fact.text)) }))
      .filter(({ score }) => score > 0)
      .sort((left, right) => right.score - left.score)
      .slice(0, limit);
  }

  async addSummary({ id = crypto.randomUUID(), text, scope, ...given }: NewSummary): Promise<Summary> {
    expectKnowledge({ text });
    const { person = null, source = {}, createdAt = new Date() } = given;
    const summary = { id, text, scope, person, source: { ...source }, createdAt };
    this.#summaries.set(id, summary);
    return { ...summary };
  }

  async summaries({
    limit = 100,
    reader,
    person,
  }: Pick<FactFilter, 'reader' | 'person'> & { limit?: number | undefined } = {}): Promise<Summary[]> {
    const meant = [...this.#summaries.values()].filter((one) => isVisible(one.scope, reader) && isOf(person, one));
    return newestFirst(meant)
      .slice(0, limit)
      .map((one) => ({ ...one }));
  }

  async purge(subject: PurgeSubject, { dryRun = false } = {}): Promise<Removed[]> {
    const facts = [...this.#facts.values()].filter((fact) =>
      'before' in subject ? hasEnded(fact, subject.before) : isOwnedBy(fact, subject),
    );
    const summaries = [...this.#summaries.values()].filter((one) => !('before' in subject) && isOwnedBy(one, subject));
    if (!dryRun) {
      for (const { id } of facts) this.#facts.delete(id);
      for (const { id } of summaries) this.#summaries.delete(id);
    }
    return [
      ...facts.map(({ id, type }): Removed => ({ store: 'knowledge', kind: 'fact', id, what: type })),
      ...summaries.map(({ id }): Removed => ({ store: 'knowledge', kind: 'summary', id, what: 'summary' })),
    ];
  }

  async *export(owner?: Owner): AsyncIterable<ExportedRow> {
    for (const fact of this.#facts.values())
      if (!owner || isOwnedBy(fact, owner)) yield { store: 'knowledge', kind: 'fact', row: copy(fact) };
    for (const summary of this.#summaries.values())
      if (!owner || isOwnedBy(summary, owner)) yield { store: 'knowledge', kind: 'summary', row: { ...summary } };
  }

  #find(id: string): Fact {
    const found = this.#facts.get(id);
    if (!found) throw unknownFact(id);
    return found;
  }

  #current({ reader, types, person, tags = [], minConfidence = 0 }: FactFilter): Fact[] {
    const now = new Date();
    const meant = [...this.#facts.values()].filter(
      (fact) =>
        fact.supersededBy === null &&
        (fact.expiresAt === null || fact.expiresAt > now) &&
        isVisible(fact.scope, reader) &&
        isOf(person, fact) &&
        (types === undefined || types.includes(fact.type)) &&
        tags.every((tag) => fact.tags.includes(tag)) &&
        fact.confidence >= minConfidence,
    );
    return newestFirst(meant).map(copy);
  }
}

function newestFirst<Row extends { id: string; createdAt: Date }>(rows: Row[]): Row[] {
  return rows.sort((left, right) => Number(right.createdAt) - Number(left.createdAt) || (left.id < right.id ? -1 : 1));
}

function isVisible(scope: Scope, reader: FactFilter['reader']): boolean {
  if (scope === 'global' || reader === undefined) return true;
  return 'project' in scope ? scope.project === reader.project : scope.session === reader.session;
}

function isOf(wanted: string | undefined, { person }: { person: string | null }): boolean {
  return wanted === undefined || wanted === person;
}

function hasEnded({ expiresAt, supersededBy, createdAt }: Fact, before: Date): boolean {
  return (expiresAt !== null && expiresAt < before) || (supersededBy !== null && createdAt < before);
}

function isOwnedBy({ person, scope }: { person: string | null; scope: Scope }, owner: Owner): boolean {
  return ('person' in owner && person === owner.person) || scopesOf(owner).includes(scopeKey(scope));
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));
}

/** How many of the words are among the others. */
function share(words: Set<string>, others: Set<string>): number {
  return words.size ? [...words].filter((word) => others.has(word)).length / words.size : 0;
}

function copy(fact: Fact): Fact {
  return { ...fact, tags: [...fact.tags], source: { ...fact.source } };
}
