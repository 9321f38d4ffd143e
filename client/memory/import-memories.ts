import { z } from 'zod';
import type { Memory } from '../../db/memory/memory.ts';
import type { MemoryStore } from '../../db/memory/memory-store.ts';
import { memoryOrigins } from '../../db/memory/origin.ts';
import { factTypes } from '../../domain/stores/knowledge.ts';
import { ClientError } from '../errors.ts';

const memoriesOfBatch = 100;

/** How many replaced memories are processed at once. */
const pairsOfBatch = 500;

type Store = Pick<MemoryStore, 'remember' | 'get' | 'replace'>;

/**
 * Writes exported memories under their ids; returns how many.
 * @throws {ClientError} `InvalidInput` naming the first value that is not a memory; those before it are written.
 */
export async function importMemories(
  store: Store,
  memories: AsyncIterable<unknown> | Iterable<unknown>,
): Promise<number> {
  /** A memory's successor may come before or after it, so successors are looked up once everything is written. */
  const replacedBy = new Map<string, string>();
  let batch: Memory[] = [];
  let count = 0;

  async function write(): Promise<void> {
    // What was replaced since the export stays so.
    const known = await store.get(batch.map(({ id }) => id));
    const since = new Map(known.map(({ id, supersededBy }) => [id, supersededBy]));
    batch = batch.map((memory) => ({ ...memory, supersededBy: memory.supersededBy ?? since.get(memory.id) }));
    await store.remember(batch);
    for (const { id, supersededBy } of batch) {
      if (supersededBy === undefined) replacedBy.delete(id);
      else replacedBy.set(id, supersededBy);
    }
    batch = [];
  }

  try {
    for await (const one of memories) {
      count += 1;
      batch.push(parseMemory(one, count));
      if (batch.length === memoriesOfBatch) await write();
    }
  } finally {
    await write().finally(() => settleReplaced(store, [...replacedBy]));
  }
  return count;
}

/** Gives replaced memories their successor's position in the lineage; those whose successor was forgotten stay replaced. */
async function settleReplaced(store: Store, pairs: Array<[id: string, by: string]>): Promise<void> {
  for (let from = 0; from < pairs.length; from += pairsOfBatch) {
    const some = pairs.slice(from, from + pairsOfBatch);
    const found = await store.get([...new Set(some.map(([, by]) => by))]);
    const successors = new Map(found.map((memory) => [memory.id, memory]));
    await store.replace(
      some.flatMap(([id, by]) => {
        const successor = successors.get(by);
        return successor ? [{ id, by: successor }] : [];
      }),
    );
  }
}

const memorySchema = z.object({
  id: z.string().min(1),
  text: z.string().refine((text) => text.trim() !== '', 'Expected a text, got an empty one.'),
  kind: z.string().min(1),
  scope: z.enum(['global', 'project', 'session']),
  projectId: z.string().optional(),
  sessionId: z.string().optional(),
  lineageId: z.string().optional(),
  sequence: z.number().int().optional(),
  tags: z.array(z.string()).default([]),
  source: z
    .object({
      id: z.string().optional(),
      run: z.string().optional(),
      message: z.number().int().optional(),
      commit: z.string().optional(),
    })
    .default({}),
  origin: z.enum(memoryOrigins).default('agent'),
  importance: z.number().min(0).max(1).default(0.5),
  factType: z.enum(factTypes).optional(),
  confidence: z.number().min(0).max(1).optional(),
  person: z.string().optional(),
  createdAt: z.coerce.date(),
  recalledAt: z.coerce.date().optional(),
  expiresAt: z.coerce.date().optional(),
  supersededBy: z.string().optional(),
});

/** Parses an exported memory; `number` is its position, for the error message. */
export function parseMemory(value: unknown, number: number): Memory {
  const parsed = memorySchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const complaints = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new ClientError(
    'InvalidInput',
    `Expected memory ${number} as \`longhaul memory export\` writes it. ${complaints.join('; ')}`,
  );
}
