import { createCallModel } from './call-model.ts';
import { createChatActivities } from './chat.ts';
import { createCompactRun } from './compaction/compact-run.ts';
import { createConsolidationActivities } from './consolidation/consolidate-memory.ts';
import { createProposeSummary } from './consolidation/propose-summary.ts';
import { createDelegateActivities } from './delegate.ts';
import type { Dependencies } from './dependencies.ts';
import { createDistilTurn } from './distillation/distil-turn.ts';
import { createFreshAnswers } from './fresh-answers.ts';
import { createSandboxActivities } from './open-sandbox.ts';
import { createProjectActivities } from './project.ts';
import { createReindexMemories } from './reindex-memories.ts';
import { createRunActivities } from './run.ts';
import { createRunTool } from './run-tool.ts';
import { createSessionActivities } from './session.ts';
import { createTendMemory } from './tend-memory.ts';
import { createVerifyActivities } from './verify.ts';

/** Every activity, under the name by which workflows call it. */
export function createActivities(dependencies: Dependencies) {
  const fresh = createFreshAnswers();
  return {
    callModel: createCallModel(dependencies, fresh),
    compactRun: createCompactRun(dependencies),
    runTool: createRunTool(dependencies, { fresh }),
    ...createChatActivities(dependencies),
    ...createDelegateActivities(dependencies),
    ...createProjectActivities(dependencies),
    ...createRunActivities(dependencies),
    ...createSandboxActivities(dependencies),
    ...createSessionActivities(dependencies),
    ...createVerifyActivities(dependencies),
    tendMemory: createTendMemory(dependencies),
    reindexMemories: createReindexMemories(dependencies),
    ...createConsolidationActivities(dependencies),
    distilTurn: createDistilTurn(dependencies),
    proposeSummary: createProposeSummary(dependencies),
  };
}

export type Activities = ReturnType<typeof createActivities>;
