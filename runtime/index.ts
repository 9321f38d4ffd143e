export type {
  AgentContext,
  AgentToRun,
  Generated,
  GenerateOptions,
  RunAgentOptions,
} from '../agents/runtime/agent-context.ts';
export { AgentError, type AgentErrorCode, PermanentError } from '../agents/runtime/agent-error.ts';
export type { AgentToolOptions } from '../agents/runtime/definition/agent-as-tool.ts';
export {
  clearAgents,
  getAgent,
  listAgents,
  registerAgent,
  unregisterAgent,
} from '../agents/runtime/definition/agent-registry.ts';
export {
  type Agent,
  type AgentResult,
  type CodedAgentOptions,
  type DeclaredAgentOptions,
  defineAgent,
} from '../agents/runtime/definition/define-agent.ts';
export type { Duration } from '../agents/runtime/duration.ts';
export { steps } from '../agents/runtime/steps/run-steps.ts';
export {
  type ParallelSteps,
  parallel,
  type Step,
  type StepContext,
  type StepOptions,
  type StepsOptions,
  type StepsResult,
  step,
} from '../agents/runtime/steps/step.ts';
export type { BuiltInTool } from '../agents/runtime/tools/built-in-tools.ts';
export {
  type AgentTool,
  defineTool,
  type GivenContext,
  type ToolCallContext,
  type ToolOptions,
} from '../agents/runtime/tools/define-tool.ts';
export type { CalledRun } from '../agents/runtime/tools/outside-calls.ts';
export {
  type AnthropicTool,
  createToolRegistry,
  type OpenAiTool,
  type ToolRegistry,
  toolFromFunction,
} from '../agents/runtime/tools/tool-registry.ts';
export * from '../client/index.ts';
export type { AgentMessage, Artifacts, RunUsage } from '../domain/agent-run/message.ts';
export type { AgentRunLimits } from '../domain/agent-run/run-request.ts';
export type { AgentRunStatus } from '../domain/agent-run/status.ts';
export { type AgentLonghaul, type CreateOptions, createLonghaul } from './create-longhaul.ts';
