import { once } from 'node:events';
import { createMadeEmbedder } from '../../../dist/bench/memory/made-memories.js';
import { openMemoryStore } from '../../../dist/db/memory/memory-store.js';

// node memory-writer.mjs <uri>: once "<name> <first>" comes, writes memories until it is killed, and says which are written.
const [, , uri] = process.argv;
const store = await openMemoryStore({ uri, embedder: createMadeEmbedder(16) });
const [line] = await once(process.stdin.setEncoding('utf8'), 'data');
const [name, first] = line.trim().split(' ');
for (let number = Number(first); ; number += 1) {
  const id = `${name}-${number}`;
  await store.remember([{ id, text: `memory ${id} of writer${name}`, kind: 'fact', scope: 'global' }]);
  if (number % 25 === 24) await store.optimize(); // compaction is killed too
  process.stdout.write(`${number}\n`);
}
