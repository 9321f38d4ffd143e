import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';

/**
 * Patches for bugs in postgres.js 3.4.9 that no release fixes yet (github.com/porsager/postgres, issues 1066, 1133, 1154 and 1208). If the server
 * dies during a transaction, the remaining queries, at least its ROLLBACK, are written from a timer to the closed socket, which ends the process; or
 * go to the next connection before it is ready; or wait forever. And a connection closed between a small write and its timer keeps the unsent bytes
 * and sends them to the next server, or never sends anything again.
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

/** esbuild plugin that applies the patches to the bundled copy. */
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
