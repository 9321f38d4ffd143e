import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { openMemoryStore } from '../../../db/memory/memory-store.ts';
import { seedProject } from '../../client/seed-project.ts';
import { homeOfFile } from '../../support/servers/home-of-file.ts';
import { runCli } from '../run.ts';

describe('memories', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'longhaul-memory-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Without an embedding model: searching by words is enough here. */
  const run = (...parameters: string[]) =>
    runCli(['memory', ...parameters], {
      environment: { LONGHAUL_HOME: join(folder, 'home'), LONGHAUL_MODEL_EMBEDDING: 'none' },
    });

  async function printed(...parameters: string[]): Promise<string> {
    const { stdout, stderr, exitCode } = await run(...parameters);
    expect([exitCode, stderr]).toEqual([0, '']);
    return stdout;
  }

  test('a memory that a person adds can be found, shown, changed and forgotten', async () => {
    const id = (await printed('add', 'The upload limit is 5 MB', '--tag', 'limits')).trim();
    expect(await printed('search', 'what', 'is', 'the', 'upload', 'limit')).toMatch(
      new RegExp(`^\\d\\.\\d\\d +text +${id} `),
    );
    await printed('edit', id, '--text', 'The upload limit is 7 MB', '--importance', '0.9');
    expect(JSON.parse(await printed('show', id, '--json'))).toMatchObject({
      text: 'The upload limit is 7 MB',
      tags: ['limits'],
      importance: 0.9,
      kind: 'fact',
      scope: 'global',
    });
    expect(await printed('show', id)).toMatch(/importance +0\.9\n[\s\S]*The upload limit is 7 MB/);
    expect(await printed('forget', id)).toMatch(
      /^Forgot 1 of 1\. Maintenance removes their text from the files within two hours\.$/m,
    );
    expect(await printed('list')).toBe('No memory matches.\n');
  });

  test('a known text is not stored twice, and a contradicting one replaces it', async () => {
    const first = (await printed('add', 'Ann lives in Paris')).trim();
    expect(await printed('add', 'ann lives in Paris.')).toBe(`${first} already says so.\n`);
    expect(await printed('add', 'Ann lives in Rome')).toMatch(new RegExp(`, replacing ${first}\n$`));
    expect(JSON.parse(await printed('list', '--json'))).toMatchObject([{ text: 'Ann lives in Rome' }]);
    expect(JSON.parse(await printed('list', '--history', '--json'))).toHaveLength(2);
  });

  test('an export brings everything back elsewhere; an import writes nothing twice', async () => {
    await printed('add', 'Ann lives in Paris');
    await printed('add', 'Ann lives in Rome');
    await printed('add', 'Bob has a\nzebra 🎉', '--kind', 'custom');
    const file = join(folder, 'memories.jsonl');
    expect(await printed('export', file)).toBe(`Wrote 3 memories to ${file}.\n`);
    const before = await printed('list', '--history', '--json');
    rmSync(join(folder, 'home'), { recursive: true });
    for (let time = 0; time < 2; time += 1) expect(await printed('import', file)).toBe('Wrote 3 memories.\n');
    expect(await printed('list', '--history', '--json')).toBe(before);
    expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(3);
  });

  test('each flag of `list` and `search` has an effect', async () => {
    const file = join(folder, 'dated.jsonl');
    const dated = (id: string, text: string, date: string, tags: string[]) =>
      JSON.stringify({ id, text, kind: 'fact', scope: 'global', createdAt: `2026-0${date}`, tags });
    const lines = [
      dated('may', 'The upload limit of photos is 5 MB', '5-10', ['limits', 'photos']),
      dated('june', 'The upload limit of photos is 6 MB', '6-10', ['limits', 'photos']),
      dated('july', 'The photos of receipts have no upload limit yet, Ann decided', '7-10', ['limits', 'receipts']),
    ];
    writeFileSync(file, lines.join('\n'));
    await printed('import', file);
    writeFileSync(join(folder, 'one.jsonl'), lines[0] ?? '');
    expect(await printed('import', join(folder, 'one.jsonl'))).toBe('Wrote 1 memory.\n');
    const ids = async (...parameters: string[]) =>
      (JSON.parse(await printed(...parameters, '--json')) as Array<{ id: string }>).map(({ id }) => id);
    const search = (...parameters: string[]) => ids('search', 'upload', 'limit', 'of', 'photos', ...parameters);

    expect(await ids('list')).toEqual(['july', 'june', 'may']);
    expect(await ids('list', '--tag', 'limits', 'photos')).toEqual(['june', 'may']);
    expect(await ids('list', '--after', '2026-06-10')).toEqual(['july', 'june']);
    expect(await ids('list', '--before', '2026-06-10')).toEqual(['may']);
    expect((await search('--tag', 'photos')).sort()).toEqual(['june', 'may']);
    expect(await search('--tag', 'photos', '--after', '2026-06-01')).toEqual(['june']);
    expect(await search('--before', '2026-06-01')).toEqual(['may']);
    expect(await search('--limit', '2')).toEqual(expect.not.arrayContaining(['july']));
    expect(await search('--limit', '2', '--diverse')).toContain('july');
    expect(await search()).toHaveLength(3);
    expect(await search('--tokens', '10')).toHaveLength(1); // each text about photos has 34 characters
    const { exitCode, stderr } = await run('list', '--after', 'soon');
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/Expected a date such as 2026-05-31/)]);
  });

  test('a bad export, a secret and an unknown id are different errors without stack traces', async () => {
    const file = join(folder, 'bad.jsonl');
    writeFileSync(file, '{"id":"a"}\n');
    const told = async (...parameters: string[]) => {
      const { stderr, exitCode } = await run(...parameters);
      expect(exitCode).not.toBe(0);
      expect(stderr).not.toMatch(/ {4}at /);
      return stderr;
    };
    expect(await told('import', file)).toMatch(/Expected memory 1 as .*text:/);
    writeFileSync(file, 'no json\n');
    expect(await told('import', file)).toMatch(/Expected JSON in line 1/);
    expect(await told('add', `The token is ghp_${'a1B2'.repeat(9)}`)).toMatch(/a GitHub token/);
    expect(await run('add', 'password: hunter22abc')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/^Expected a text without secrets, got one that seems to contain a password/),
    });
    for (const words of ['', '  ']) {
      expect(await run('search', words)).toMatchObject({
        exitCode: 2,
        stderr: 'Expected words to search for, got an empty text.\n',
      });
    }
    expect(await told('show', 'nothing')).toMatch(/Expected the id of a memory, got "nothing"/);
    expect(await told('reindex', '--here')).toMatch(/longhaul setup/);
    const id = (await printed('add', 'Ann lives in Paris')).trim();
    expect(await run('edit', id, '--text', 'password: hunter22abc')).toMatchObject({ exitCode: 2 });
    expect(await told('forget', 'nothing', id)).toMatch(/^There is no memory "nothing"\. /);
  });

  test('stats show the number of memories and what finds them', async () => {
    await printed('add', 'Ann lives in Paris');
    expect(JSON.parse(await printed('stats', '--json'))).toMatchObject({
      memories: 1,
      byKind: { fact: 1 },
      withoutVector: 1,
    });
    expect(await printed('stats')).toMatch(/memories +1\n.*\nmodel +none/);
  });

  test('a memory added while the embedding model refuses is stored, and the missing vector is reported', async () => {
    let refuses = false;
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { input } = JSON.parse(Buffer.concat(chunks).toString()) as { input: string[] };
      const isProbe = input[0] === 'dimensions';
      response.setHeader('content-type', 'application/json');
      if (refuses && !isProbe) response.writeHead(401).end('{"error":{"message":"No such key."}}');
      else response.end(JSON.stringify({ data: input.map((text, index) => ({ index, embedding: [text.length, 1] })) }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const environment = {
      LONGHAUL_HOME: join(folder, 'home'),
      LONGHAUL_MODEL_EMBEDDING: 'vllm/nomic',
      VLLM_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    };
    const embedding = (...parameters: string[]) => runCli(['memory', ...parameters], { environment });
    try {
      refuses = true;
      const added = await embedding('add', 'Ann lives in Paris');
      expect(added).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^memory-\S+\n$/) });
      expect(added.stderr).toMatch(/stored without a vector .*`longhaul memory reindex`.*No such key/);
      expect((await embedding('search', 'Ann', 'lives')).stdout).toMatch(/ text +memory-/);
      expect((await embedding('stats')).stdout).toMatch(/without a vector +1: `longhaul memory reindex` embeds them/);
      refuses = false;
      expect((await embedding('reindex', '--here')).stdout).toBe('Embedded 1 memory.\n');
      expect((await embedding('stats')).stdout).toMatch(/without a vector +0$/m);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  test('a call without an effect is refused in plain words', async () => {
    const id = (await printed('add', 'Ann lives in Paris')).trim();
    for (const [parameters, told] of [
      [['add', ' '], /^Expected a memory with text, got an empty one/],
      [['edit', id, '--text', ''], /^Expected a memory with text/],
      [['edit', id], /^Expected --text, --kind, --tag, --importance or --expires to change ".*"/],
      [['import', 'nonesuch'], /^Expected a file that `longhaul memory export` wrote at .*nonesuch, found none\.\n$/],
      [['import', folder], /^Expected a file that/],
    ] as Array<[string[], RegExp]>) {
      expect(await run(...parameters)).toEqual({ exitCode: 2, stdout: '', stderr: expect.stringMatching(told) });
    }
    expect(JSON.parse(await printed('list', '--json'))).toMatchObject([{ text: 'Ann lives in Paris' }]);
  });

  test('the memory commands use the model of the settings file', async () => {
    const home = join(folder, 'home');
    mkdirSync(home);
    const stats = async (...parameters: string[]) =>
      (await runCli(['memory', 'stats', ...parameters], { environment: { LONGHAUL_HOME: home } })).stderr;
    expect(await stats()).toContain('the local embedding model is not in');
    writeFileSync(join(home, 'longhaul.config.ts'), "export default { models: { embedding: 'none' } };\n");
    expect(await stats()).toBe('');
  });
});

const postgres = await homeOfFile();

describe('memories of a project', () => {
  beforeAll(async () => {
    await seedProject(postgres.database, 'project-photos-aaaaaa');
    await seedProject(postgres.database, 'project-spend-bbbbbb');
  });

  const run = (...parameters: string[]) =>
    runCli(['memory', ...parameters], {
      environment: { ...postgres.environment, LONGHAUL_MODEL_EMBEDDING: 'none' },
    });

  async function texts(...parameters: string[]): Promise<string[]> {
    const { stdout, stderr, exitCode } = await run(...parameters, '--json');
    expect([exitCode, stderr]).toEqual([0, '']);
    return (JSON.parse(stdout) as Array<{ text: string }>).map(({ text }) => text).sort();
  }

  test('a project sees its own memories and those for all', async () => {
    await run('add', 'The upload limit of photos is 5 MB', '--project', 'photos-aaaaaa');
    await run('add', 'The upload limit of receipts is 1 MB', '--project', 'project-spend-bbbbbb');
    await run('add', 'The upload limit of the company is 9 MB');
    const seen = ['The upload limit of photos is 5 MB', 'The upload limit of the company is 9 MB'];
    expect(await texts('list', '--project', 'photos-aaaaaa')).toEqual(seen);
    expect(await texts('search', 'upload', 'limit', '--project', 'photos-aaaaaa')).toEqual(seen);
    expect(await texts('list')).toHaveLength(3);
  });

  test('memories that the current lineage left behind are not shown as its own', async () => {
    const memory = await openMemoryStore({ uri: `${postgres.home}/lancedb` });
    const own = { kind: 'lesson', scope: 'project', projectId: 'project-spend-bbbbbb', sequence: 1 } as const;
    await memory.remember([
      { ...own, id: 'kept', text: 'Rounding comes last', lineageId: 'project-spend-bbbbbb/l1' },
      { ...own, id: 'left', text: 'Rounding comes first', lineageId: 'project-spend-bbbbbb/l0' },
    ]);
    await memory.close();
    expect(await texts('search', 'rounding', '--project', 'spend-bbbbbb')).toEqual(['Rounding comes last']);
    expect(await texts('list', '--kind', 'lesson', '--project', 'spend-bbbbbb')).toEqual(['Rounding comes last']);
    expect(await texts('search', 'rounding')).toHaveLength(2);
  });

  test('other projects find a lesson only once a person has promoted it', async () => {
    const memory = await openMemoryStore({ uri: `${postgres.home}/lancedb` });
    const lineageId = 'project-spend-bbbbbb/l1';
    const place = { projectId: 'project-spend-bbbbbb', lineageId, sequence: 1 };
    await memory.remember([
      { ...place, id: 'taught', text: 'Currencies need a table', kind: 'lesson', scope: 'project' },
    ]);
    await memory.close();
    const others = () => texts('search', 'currencies', '--project', 'photos-aaaaaa');
    expect(await others()).toEqual([]);
    expect(await run('promote', 'taught')).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await others()).toEqual(['Currencies need a table']);
    expect(await texts('search', 'currencies', '--project', 'spend-bbbbbb')).toEqual(['Currencies need a table']);
    expect((await run('promote', 'taught')).stdout).toBe('Every project and chat finds taught already.\n');
    expect(await run('promote', 'nothing')).toMatchObject({ exitCode: 2 });
  });

  test('an unknown project is an error without a stack trace', async () => {
    const { stdout, stderr, exitCode } = await run('list', '--project', 'nothing');
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/nothing/);
    expect(stderr).not.toMatch(/ {4}at /);
  });

  test('consolidations can be listed before there is one; an unknown id is an error', async () => {
    expect(await run('consolidations', 'list')).toMatchObject({
      exitCode: 0,
      stdout: 'There are no consolidations yet. `longhaul memory consolidate` starts one.\n',
    });
    for (const command of ['show', 'accept']) {
      expect(await run('consolidations', command, 'nothing')).toEqual({
        exitCode: 2,
        stdout: '',
        stderr: expect.stringMatching(
          /^Expected the id of a consolidation or of one of its changes, got "nothing"\. .*\n$/,
        ),
      });
    }
    expect(await run('consolidate', '--project', 'nothing')).toMatchObject({ exitCode: 2 });
  });
});
