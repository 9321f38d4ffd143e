import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { createStores } from '../../../client/stores/create-stores.ts';

/** Runs the text of an async function, with these names in it. */
const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor as new (
  ...parameters: string[]
) => (...values: unknown[]) => Promise<void>;

test('the first program of the page about stores does what it says', async () => {
  const page = await readFile(join(import.meta.dirname, '../../../docs/stores.md'), 'utf8');
  const [, program = ''] = /```ts\nimport \{ connectLonghaul \} from 'longhaul';\n([\s\S]*?)```/.exec(page) ?? [];
  const stores = await createStores();
  const connectLonghaul = async () => ({ stores, close: async () => undefined });
  await new AsyncFunction('connectLonghaul', program)(connectLonghaul);
  const { removed } = await stores.purge({ person: 'anna' }, { dryRun: true });
  expect(removed.map(({ store, what }) => `${store} ${what}`)).toEqual([
    'audit order.looked-up',
    'knowledge preference',
    'preferences language',
    'tasks Call anna back',
    'conversations Orders',
  ]);
  expect((await stores.memory.get({ project: 'shop' }, 'deploy/last'))?.value).toMatchObject({ commit: 'a1b2c3' });
});
