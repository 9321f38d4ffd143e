export { chatWorkflow } from './chat-workflow.ts';
export { consolidateMemoryWorkflow } from './consolidate-memory-workflow.ts';
export { delegateWorkflow } from './delegate-workflow.ts';
export { initializerWorkflow } from './initializer-workflow.ts';
export { projectWorkflow } from './project-workflow.ts';
export { sessionWorkflow } from './session-workflow.ts';
export { subAgentWorkflow } from './sub-agent-workflow.ts';
export { tendMemoryWorkflow } from './tend-memory-workflow.ts';
