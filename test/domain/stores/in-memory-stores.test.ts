import { describe, test } from '@jest/globals';
import { createInMemoryStores } from '../../../domain/stores/in-memory/create-in-memory-stores.ts';
import { storeContracts } from '../../../testing/store-contract/store-contracts.ts';

const stores = createInMemoryStores();

describe('memory', () => {
  test.each(storeContracts.memory)('$title', ({ run }) => run(stores.memory));
});
describe('conversations', () => {
  test.each(storeContracts.conversations)('$title', ({ run }) => run(stores.conversations));
});
describe('tasks', () => {
  test.each(storeContracts.tasks)('$title', ({ run }) => run(stores.tasks));
});
describe('preferences', () => {
  test.each(storeContracts.preferences)('$title', ({ run }) => run(stores.preferences));
});
describe('knowledge', () => {
  test.each(storeContracts.knowledge)('$title', ({ run }) => run(stores.knowledge));
});
describe('audit', () => {
  test.each(storeContracts.audit)('$title', ({ run }) => run(stores.audit));
});
