#!/usr/bin/env node
import './check-node.mjs';
import { existsSync } from 'node:fs';

const main = new URL('../dist/command-line/main.js', import.meta.url);
if (existsSync(main)) {
  await import(main.href);
} else {
  console.error(
    'Longhaul is not built yet. Run npm start (sets up, then shows the example) or npm run setup (sets up) in its folder.',
  );
  process.exitCode = 1;
}
