#!/usr/bin/env node
// CommonJS, since Node takes 10 ms longer to start with an ES module.
require('./check-node.cjs');

const front = '../dist/programs/command-line/front.cjs';
if (require('node:fs').existsSync(require('node:path').join(__dirname, front))) {
  require(front);
} else {
  console.error(
    'Longhaul is not built yet. Run npm start (sets up, then shows the example) or npm run setup (sets up) in its folder.',
  );
  process.exitCode = 1;
}
