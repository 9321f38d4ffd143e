import { ClientError } from '../../client/errors.ts';
import type { Memories } from '../../client/memory/open-memories.ts';
import type { Memory } from '../../db/memory/memory.ts';
import { describeAmbiguous } from '../../domain/match-reference.ts';

/** The memory with this id, or this start of one. */
export async function expectMemory(memories: Memories, reference: string): Promise<Memory> {
  const [memory] = await memories.get([reference]);
  if (memory) return memory;
  const found: Memory[] = [];
  for await (const one of memories.export({ scope: 'everything' })) if (one.id.startsWith(reference)) found.push(one);
  const [only] = found;
  if (!only) throw unknownMemory(reference);
  if (found.length === 1) return only;
  const ids = found.map(({ id }) => id);
  throw new ClientError('InvalidInput', describeAmbiguous(reference, 'memories', ids));
}

export function unknownMemory(id: string): ClientError {
  return new ClientError(
    'InvalidInput',
    `Expected the id of a memory, got "${id}". \`longhaul memory list\` shows them.`,
  );
}
