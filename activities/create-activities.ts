import { createAgentRunActivities } from './agent-run/agent-run.ts';
import { createRunSandboxCall } from './agent-run/run-sandbox-call.ts';
import { createChatActivities } from './chat/chat.ts';
import { createDelegateActivities } from './chat/delegate.ts';
import { createTransferFiles } from './chat/transfer-files.ts';
import { createCompactRun } from './compaction/compact-run.ts';
import type { Dependencies } from './dependencies.ts';
import { createConsolidationActivities } from './memory/consolidate-memory.ts';
import { createExtractMemories } from './memory/extract-memories.ts';
import { createMaintainMemory, createReindexMemories } from './memory/maintain-memory.ts';
import { createProposeSummary } from './memory/propose-summary.ts';
import { createCallModel } from './model/call-model.ts';
import { createDescribeActivities } from './model/describe-worker.ts';
import { createProjectActivities } from './project/project.ts';
import { createRunActivities } from './run/run.ts';
import { createSandboxActivities } from './sandbox/open-sandbox.ts';
import { createPruneSandboxes } from './sandbox/prune-unowned.ts';
import { createCloseRunSandbox } from './sandbox/run-sandbox.ts';
import { createSessionActivities } from './session/session.ts';
import { createValidateTool } from './tools/made-tools/validate-made-tool.ts';
import { createRunTool } from './tools/run-tool.ts';
import { createVerifyActivities } from './verification/verify.ts';

/** Every activity, under the name by which workflows call it. */
export function createActivities(dependencies: Dependencies) {
  return {
    callModel: createCallModel(dependencies),
    compactRun: createCompactRun(dependencies),
    runTool: createRunTool(dependencies),
    runSandboxCall: createRunSandboxCall(dependencies),
    closeRunSandbox: createCloseRunSandbox(dependencies),
    ...createAgentRunActivities(dependencies),
    ...createChatActivities(dependencies),
    ...createDelegateActivities(dependencies),
    transferFiles: createTransferFiles(dependencies),
    ...createProjectActivities(dependencies),
    ...createRunActivities(dependencies),
    ...createSandboxActivities(dependencies),
    ...createSessionActivities(dependencies),
    ...createVerifyActivities(dependencies),
    maintainMemory: createMaintainMemory(dependencies),
    reindexMemories: createReindexMemories(dependencies),
    ...createConsolidationActivities(dependencies),
    extractMemories: createExtractMemories(dependencies),
    proposeSummary: createProposeSummary(dependencies),
    ...createDescribeActivities(dependencies),
    pruneSandboxes: createPruneSandboxes(dependencies),
    validateTool: createValidateTool(dependencies),
  };
}

export type Activities = ReturnType<typeof createActivities>;
