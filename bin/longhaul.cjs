#!/usr/bin/env node
// CommonJS, so that an older Node can say that it is too old.
require('./check-node.cjs');

const main = require('node:path').join(__dirname, '..', 'dist', 'cli', 'main.js');
if (require('node:fs').existsSync(main)) {
  import(require('node:url').pathToFileURL(main).href);
} else {
  console.error(
    'Longhaul is not built yet. Run npm start (sets up, then shows the example) or npm run setup (sets up) in its folder.',
  );
  process.exitCode = 1;
}
