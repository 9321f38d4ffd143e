import { createMadeEmbedder } from '../../dist/bench/made-memories.js';
import { openMemoryStore } from '../../dist/db/memory/memory-store.js';

// node memory-writer.mjs <uri> <name> <first>: writes memories until it is killed, and says which are written.
const [, , uri, name, first] = process.argv;
const store = await openMemoryStore({ uri, embedder: createMadeEmbedder(16) });
for (let number = Number(first); ; number += 1) {
  const id = `${name}-${number}`;
  await store.remember([{ id, text: `memory ${id} of writer${name}`, kind: 'fact', scope: 'global' }]);
  if (number % 25 === 24) await store.optimize(); // compaction is killed too
  process.stdout.write(`${number}\n`);
}
