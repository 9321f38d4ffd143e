import { auditContract } from './audit-contract.ts';
import { conversationsContract } from './conversations-contract.ts';
import { knowledgeContract } from './knowledge-contract.ts';
import { memoryContract } from './memory-contract.ts';
import { preferencesContract } from './preferences-contract.ts';
import { tasksContract } from './tasks-contract.ts';

/**
 * What every implementation of each store does; run each case as a test, with the store. A case throws an `AssertionError` where the implementation
 * differs.
 */
export const storeContracts = {
  memory: memoryContract,
  conversations: conversationsContract,
  tasks: tasksContract,
  preferences: preferencesContract,
  knowledge: knowledgeContract,
  audit: auditContract,
};
