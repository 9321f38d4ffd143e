import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { loadScript, ScriptError } from '../../../../testing/index.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scripted-model-'));
  await mkdir(join(folder, 'files'));
});
afterEach(() => rm(folder, { recursive: true }));

async function complaint(yaml: string): Promise<string> {
  await writeFile(join(folder, 'script.yaml'), yaml);
  const error: unknown = await loadScript(folder).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ScriptError);
  return (error as ScriptError).message;
}

test('files take the place of their references, at any depth', async () => {
  await writeFile(join(folder, 'files', 'a.py'), 'print("ä")\n');
  await writeFile(
    join(folder, 'script.yaml'),
    'entries: [{ role: code, turns: [{ calls: [{ tool: t, arguments: { files: [{ content: { $file: files/a.py } }] } }] }] }]',
  );
  const script = await loadScript(folder);
  expect(script.entries[0]?.turns[0]?.calls[0]?.arguments).toEqual({ files: [{ content: 'print("ä")\n' }] });
});

test('the parts of a script are joined in the order of their names', async () => {
  await writeFile(join(folder, '2.yaml'), 'entries: [{ role: code, turns: [{ text: hi }] }]');
  await writeFile(join(folder, '1.yaml'), 'model: joined\nentries: [{ role: planner, turns: [{ text: hi }] }]');
  const script = await loadScript(folder);
  expect(script.model).toBe('joined');
  expect(script.entries.map((entry) => entry.role)).toEqual(['planner', 'code']);
});

test('every complaint says where it is', async () => {
  const message = await complaint(
    'entries: [{ role: Code, turns: [] }, { role: code, feture: x, turns: [{ calls: [] }] }]',
  );
  expect(message).toContain('entries.[0].role: a role is a lower-case word');
  expect(message).toContain('entries.[0].turns: an entry needs at least one turn');
  expect(message).toContain('entries.[1]: Unrecognized key: "feture"');
  expect(message).toContain('entries.[1].turns.[0]: a turn needs `text` or `calls`');
});

test('two entries for the same requests are refused', async () => {
  const message = await complaint(
    'entries: [{ role: code, turns: [{ text: a }] }, { role: code, turns: [{ text: b }] }]',
  );
  expect(message).toContain('entries.[1]: answers the same requests as entry 0 (code, any feature, any attempt)');
});

test('a missing file is named together with the place that refers to it', async () => {
  const message = await complaint(
    'entries: [{ role: code, turns: [{ calls: [{ tool: t, arguments: { content: { $file: files/gone.py } } }] }] }]',
  );
  expect(message).toContain('script.yaml: entries[0].turns[0].calls[0].arguments.content');
  expect(message).toContain('gone.py');
});

test('a file outside the folder is refused', async () => {
  const message = await complaint(
    'entries: [{ role: code, turns: [{ calls: [{ tool: t, arguments: { content: { $file: ../x } } }] }] }]',
  );
  expect(message).toContain('inside');
});

test('invalid YAML and a missing folder are refused', async () => {
  expect(await complaint('entries: [')).toContain('is not YAML');
  expect(await complaint('just text')).toContain('a mapping with `entries`');
  await expect(loadScript(join(folder, 'gone'))).rejects.toThrow('Expected a script folder');
  await expect(loadScript(join(folder, 'files'))).rejects.toThrow('Expected a *.yaml file');
});
