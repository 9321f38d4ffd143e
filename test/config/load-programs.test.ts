import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { execa } from 'execa';
import { packageRoot } from '../../config/package-root.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'longhaul-programs-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Loads programs in a process of its own, since the cache of modules is Node's; returns what its code prints. */
async function inProcess(programs: Record<string, string>, code: string): Promise<unknown> {
  for (const [name, program] of Object.entries(programs)) writeFileSync(join(folder, name), program);
  const main = join(folder, 'main.mts');
  writeFileSync(
    main,
    `import { writeFileSync } from 'node:fs';
    import { loadPrograms } from ${JSON.stringify(join(packageRoot(), 'config', 'load-programs.ts'))};
    const write = (name: string, text: string) => writeFileSync(${JSON.stringify(folder)} + '/' + name, text);
    const load = (...names: string[]) =>
      loadPrograms(names.map((name) => ${JSON.stringify(folder)} + '/' + name), {}, (message) => new Error(message));
    ${code}`,
  );
  const jiti = join(packageRoot(), 'node_modules', 'jiti', 'lib', 'jiti-cli.mjs');
  return JSON.parse((await execa(process.execPath, [jiti, main])).stdout);
}

const using = "import { mark } from './shared.ts';\nexport default mark;\n";

test('what two programs import is executed once, and again by the next call', async () => {
  const programs = { 'shared.ts': 'export const mark: object = { at: 1 };\n', 'a.ts': using, 'b.ts': using };
  const printed = await inProcess(
    programs,
    `const [a, b] = await load('a.ts', 'b.ts');
    write('shared.ts', 'export const mark = { at: 2 };');
    const [again] = await load('a.ts');
    console.log(JSON.stringify({ same: a === b, a, again }));`,
  );
  expect(printed).toEqual({ same: true, a: { at: 1 }, again: { at: 2 } });
});

test('a program that cannot be loaded is named', async () => {
  const programs = { 'good.ts': 'export default 1;\n', 'bad.ts': "throw new Error('not today');\n" };
  const printed = await inProcess(
    programs,
    "console.log(JSON.stringify(await load('good.ts', 'bad.ts').catch(({ message }) => message)));",
  );
  expect(printed).toBe(`Could not load ${join(folder, 'bad.ts')}: not today`);
});
