import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Application, TSConfigReader } from 'typedoc';
import { load as nameMentionedTypes } from 'typedoc-plugin-missing-exports';
import { prepare } from './prepare.mjs';

// npm run docs:api: the API reference in docs/api/, from the types of the entries as users get them.
const { root } = await prepare();
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const entries = Object.values(exports)
  .filter((target) => target.endsWith('.js'))
  .map((target) => join(root, target.replace(/\.js$/, '.d.ts')));
const app = await Application.bootstrapWithPlugins(
  {
    name: 'Longhaul',
    entryPoints: entries,
    // Types that no entry names, but one mentions.
    plugin: [nameMentionedTypes],
    internalModule: 'Other types',
    excludeExternals: true,
    excludePrivate: true,
    disableSources: true,
    readme: 'none',
  },
  [new TSConfigReader()],
);
app.options.setCompilerOptions(entries, { ...app.options.getCompilerOptions(app.logger), noEmit: true }, undefined);
const project = await app.convert();
if (project === undefined) process.exitCode = 1;
else await app.generateDocs(project, join(root, 'docs', 'api'));
if (app.logger.hasErrors()) process.exitCode = 1;
