import { type Connection, connect, type Table } from '@lancedb/lancedb';
import { Field, FixedSizeList, Float32, Float64, Schema, Utf8 } from 'apache-arrow';
import type { LineageRange } from '../lineage.ts';
import type { Embedder } from './embedder.ts';

export type MemoryKind = 'decision' | 'lesson';

export interface Memory {
  /** A memory written again under its id replaces itself. */
  id: string;
  text: string;
  kind: MemoryKind;
  /** `project` is seen by its own project only; `global` by all. */
  scope: 'global' | 'project';
  projectId: string;
  lineageId: string;
  sequence: number;
  /** What it came from, e.g. a decision's or a session's id. */
  source: string;
  createdAt: Date;
}

export interface RecalledMemory extends Memory {
  /** Cosine similarity, 0 to 1. */
  score: number;
}

export interface MemoryStore {
  remember(memories: Memory[]): Promise<void>;
  /** The project's memories of its present lineage nearest to the text, best first. */
  recall(query: { text: string; projectId: string; ranges: LineageRange[]; limit: number }): Promise<RecalledMemory[]>;
  /** Global memories that came from other projects, best first. */
  recallFromOthers(query: { text: string; projectId: string; limit: number }): Promise<RecalledMemory[]>;
  close(): void;
}

/**
 * Another project's lesson is shown from this cosine similarity on; the hashing embedder gives unrelated texts 0.00 to 0.08. A
 * project's own memories need none: the nearest few are worth a look.
 */
const leastForeignScore = 0.1;

const tableName = 'memories';

/** Opens the memories in LanceDB at a folder or object-store address. */
export async function openMemoryStore(options: { uri: string; embedder: Embedder }): Promise<MemoryStore> {
  const { embedder } = options;
  const connection = await connect(options.uri);
  const table = await openTable(connection, embedder);

  async function nearest(text: string, filter: string, limit: number): Promise<RecalledMemory[]> {
    const [vector] = await embedder.embed([text], 'query');
    if (!vector || vector.every((value) => value === 0)) return [];
    await table.checkoutLatest(); // other processes write too
    const rows = await table.vectorSearch(vector).distanceType('cosine').where(filter).limit(limit).toArray();
    return rows.map(toRecalled);
  }

  return {
    async remember(memories) {
      if (!memories.length) return;
      const vectors = await embedder.embed(
        memories.map((memory) => memory.text),
        'document',
      );
      const rows = memories.map((memory, index) => toRow(memory, vectors[index] ?? []));
      await table.mergeInsert('id').whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(rows);
    },
    recall: ({ text, projectId, ranges, limit }) =>
      nearest(text, `project_id = ${quote(projectId)} and (${ranges.map(inRange).join(' or ')})`, limit),
    async recallFromOthers({ text, projectId, limit }) {
      const memories = await nearest(text, `scope = 'global' and project_id != ${quote(projectId)}`, limit);
      return memories.filter((memory) => memory.score >= leastForeignScore);
    },
    close() {
      table.close();
      connection.close();
    },
  };
}

async function openTable(connection: Connection, embedder: Embedder): Promise<Table> {
  const text = ['id', 'text', 'kind', 'scope', 'project_id', 'lineage_id', 'source', 'created_at'];
  const schema = new Schema([
    ...text.map((name) => new Field(name, new Utf8(), false)),
    new Field('sequence', new Float64(), false),
    new Field('vector', new FixedSizeList(embedder.dimensions, new Field('item', new Float32(), true)), false),
  ]);
  // LanceDB's own existOk lets the later of two processes that start at once overwrite the table of the earlier.
  if ((await connection.tableNames()).includes(tableName)) return connection.openTable(tableName);
  try {
    return await connection.createEmptyTable(tableName, schema, { mode: 'create' });
  } catch (error) {
    if (!(await connection.tableNames()).includes(tableName)) throw error;
    return connection.openTable(tableName);
  }
}

/** Columns have no capitals: LanceDB's filters fold them. */
function toRow(memory: Memory, vector: number[]) {
  const { projectId, lineageId, createdAt, ...rest } = memory;
  return { ...rest, project_id: projectId, lineage_id: lineageId, created_at: createdAt.toISOString(), vector };
}

function toRecalled(row: Record<string, unknown>): RecalledMemory {
  return {
    id: String(row.id),
    text: String(row.text),
    kind: row.kind as MemoryKind,
    scope: row.scope as Memory['scope'],
    projectId: String(row.project_id),
    lineageId: String(row.lineage_id),
    sequence: Number(row.sequence),
    source: String(row.source),
    createdAt: new Date(String(row.created_at)),
    score: 1 - Number(row._distance),
  };
}

function inRange(range: LineageRange): string {
  return `(lineage_id = ${quote(range.lineageId)} and sequence <= ${range.upToSequence})`;
}

function quote(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
