import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';

export const coveredFolders = ['domain', 'workflows', 'activities', 'db'];

/** jest's parameters for `npm test -- --coverage`. */
export function coverageParameters(root) {
  rmSync(join(root, 'coverage'), { recursive: true, force: true });
  return ['--coverageReporters=json', `--collectCoverageFrom={${coveredFolders.join(',')}}/**/*.ts`];
}

/** Prints the line coverage of each folder: jest's counts, and those of the workflow code that ran in workers of the tests' processes. */
export async function printCoverage(root) {
  const require = createRequire(join(root, 'package.json'));
  const { createCoverageMap } = require('istanbul-lib-coverage');
  const { createSourceMapStore } = require('istanbul-lib-source-maps');
  const read = (path) => JSON.parse(readFileSync(join(root, 'coverage', path), 'utf8'));
  const map = createCoverageMap(read('coverage-final.json'));
  const bundled = createCoverageMap({});
  for (const name of readdirSync(join(root, 'coverage')).filter((one) => one.startsWith('workflows-')))
    bundled.merge(read(name));
  const ofWorkers = await createSourceMapStore().transformCoverage(bundled);
  ofWorkers.filter((path) => coveredFolders.includes(folderOf(path)));
  map.merge(JSON.parse(JSON.stringify(ofWorkers)));

  function folderOf(path) {
    return relative(root, path).split('/')[0];
  }
  const rows = Object.fromEntries([...coveredFolders, 'total'].map((name) => [name, { lines: 0, covered: 0 }]));
  for (const path of map.files()) {
    const times = Object.values(map.fileCoverageFor(path).getLineCoverage());
    for (const row of [rows[folderOf(path)], rows.total]) {
      row.lines += times.length;
      row.covered += times.filter((count) => count > 0).length;
    }
  }
  for (const [name, { lines, covered }] of Object.entries(rows))
    console.log(`${name.padEnd(10)} ${((100 * covered) / lines).toFixed(1)} % of ${lines} lines`);
}
