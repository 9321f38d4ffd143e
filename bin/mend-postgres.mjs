import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';

/**
 * Faults of postgres.js 3.4.9 that no release mends yet (github.com/porsager/postgres, issues 1066, 1133, 1154 and 1208). Where the server
 * dies in a transaction, what the transaction still says, its ROLLBACK at least, is written to a socket that is gone, from a timer, which
 * ends the process; or to the next connection, before that has begun; or waits for ever. And a connection that is closed between a small
 * write and its timer keeps what it had to write, and sends it to the next server, or sends nothing any more.
 */
const mends = {
  'connection.js': [
    [
      '    clearImmediate(nextWriteTimer)\n    socket.removeListener',
      '    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n    socket.removeListener',
    ],
    [
      '    const x = socket.write(chunk, fn)\n',
      '    if (!socket) {\n      chunk = nextWriteTimer = null\n      return false\n    }\n    const x = socket.write(chunk, fn)\n',
    ],
  ],
  'index.js': [
    ['      , prepare = null\n', '      , prepare = null\n      , lost = null\n'],
    [
      '        scope(connection, fn),\n        new Promise((_, reject) => connection.onclose = reject)\n',
      `        scope(connection, fn),
        new Promise((_, reject) => connection.onclose = (error) => {
          lost = error
          while (queries.length) queries.shift().reject(error)
          reject(error)
        })
`,
    ],
    [
      '        q.catch(e => uncaughtError || (uncaughtError = e))\n',
      '        q.catch(e => uncaughtError || (uncaughtError = e))\n        if (lost) return q.reject(lost)\n',
    ],
  ],
};

/** Mends them in what is bundled. */
export const mendPostgres = {
  name: 'mend-postgres',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]postgres[\\/]src[\\/](?:connection|index)\.js$/ }, async ({ path }) => {
      let contents = await readFile(path, 'utf8');
      for (const [fault, mended] of mends[basename(path)]) {
        if (contents.split(fault).length !== 2) {
          throw new Error(
            `Expected ${JSON.stringify(fault)} once in ${path}. Where this release of postgres.js is mended, remove that from bin/mend-postgres.mjs.`,
          );
        }
        contents = contents.replace(fault, () => mended);
      }
      return { contents, loader: 'js' };
    });
  },
};
