export { agentRunWorkflow } from './agent-run/agent-run-workflow.ts';
export { chatWorkflow } from './chat/chat-workflow.ts';
export { delegateWorkflow } from './chat/delegate-workflow.ts';
export { consolidateMemoryWorkflow } from './memory/consolidate-memory-workflow.ts';
export { reindexMemoryWorkflow } from './memory/reindex-memory-workflow.ts';
export { initializerWorkflow } from './project/initializer-workflow.ts';
export { projectWorkflow } from './project/project-workflow.ts';
export { sessionWorkflow } from './session/session-workflow.ts';
export { subAgentWorkflow } from './session/sub-agent-workflow.ts';
export {
  checkModelsWorkflow,
  describeWorkerWorkflow,
  maintainMemoryWorkflow,
  pruneSandboxesWorkflow,
  validateToolWorkflow,
} from './single-step-workflows.ts';
