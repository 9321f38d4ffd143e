import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { execa } from 'execa';
import { packageRoot } from '../../config/package-root.ts';
import { databaseOfFile } from '../support/database-of-file.ts';

const { url } = await databaseOfFile();
const { mendPostgres } = await import(join(packageRoot(), 'bin', 'mend-postgres.mjs'));
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'longhaul-postgres-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Kills the connection of a transaction twenty times, and prints how the transactions and the queries after them ended. */
const program = `
  import postgres from 'postgres';
  const sql = postgres(process.argv[2], { max: 1 });
  const other = postgres(process.argv[2], { max: 1 });
  const ends = new Set();
  for (let time = 0; time < 20; time += 1) {
    let pid;
    const begun = sql.begin(async (own) => {
      [{ pid }] = await own\`select pg_backend_pid() as pid\`;
      await own\`select pg_sleep(60)\`;
    });
    const transaction = begun.then(() => 'COMMITTED', ({ code }) => code);
    while (pid === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
    await other\`select pg_terminate_backend(\${pid})\`;
    ends.add(await transaction);
    // What is sent while the server closes the connection fails with it; what is sent later does not.
    let answer;
    while (answer === undefined) {
      [{ answer }] = await sql\`select 1 as answer\`.catch(async ({ code }) => {
        ends.add(code);
        await new Promise((resolve) => setTimeout(resolve, 5));
        return [{}];
      });
    }
    ends.add(answer);
  }
  console.log(JSON.stringify([...ends].map(String).sort()));
  await Promise.all([sql.end(), other.end()]);
`;

async function runBundled() {
  const [script, outfile] = [join(folder, 'program.mjs'), join(folder, 'bundled.mjs')];
  writeFileSync(script, program);
  const nodePaths = [join(packageRoot(), 'node_modules')];
  await build({
    entryPoints: [script],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    nodePaths,
    plugins: [mendPostgres],
  });
  return execa(process.execPath, [outfile, url], { env: { NODE_OPTIONS: '' }, reject: false, timeout: 60_000 });
}

test('a worker would end, or a connection of it never send again, where Postgres dies in a transaction', async () => {
  const { exitCode, stdout, stderr } = await runBundled();
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const [answer, ...codes] = JSON.parse(stdout);
  expect(answer).toBe('1');
  expect(codes.every((code: string) => code === 'CONNECTION_CLOSED' || code === '57P01')).toBe(true);
});
