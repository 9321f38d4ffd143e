export type { MadeTool } from '../agents/made-tools/made-tool.ts';
export { MadeToolRefusedError } from '../agents/made-tools/refusal.ts';
export { AgentFileError } from '../agents/own-agents/parse-agent.ts';
export type { Proposal } from '../agents/proposal.ts';
export { type Configuration, readConfiguration } from '../config/configuration.ts';
export { ConfigurationError } from '../config/configuration-error.ts';
export { loadConfiguration } from '../config/load-configuration.ts';
export type { ChatBranch } from '../db/chats/branches.ts';
export type { ChatRow } from '../db/chats/chat-transaction.ts';
export type { ChatExchange, ChatStep } from '../db/chats/read-history.ts';
export {
  BranchError,
  ChatNameError,
  FolderInUseError,
  MadeToolNameError,
  MemoryChangeStateError,
  MessageUnusableError,
  RunEndedError,
  UnknownChatError,
  UnknownCheckpointError,
  UnknownConsolidationError,
  UnknownFeatureError,
  UnknownMadeToolError,
  UnknownProjectError,
  UnknownRunError,
} from '../db/errors.ts';
export type { ProjectEvent, ProjectEventData } from '../db/events/event.ts';
export type { MadeToolRow, MadeToolVersion } from '../db/made-tools/made-tools.ts';
export type { Memory, MemoryFilter, NewMemory, Reader } from '../db/memory/memory.ts';
export { SecretInMemoryError } from '../db/memory/quality/secrets.ts';
export type { FoundMemory, MemoryQuery } from '../db/memory/search/memory-query.ts';
export type { ProjectSettings } from '../db/shapes.ts';
export type { FeatureStatus, ProjectStatus, SessionStatus } from '../db/statuses.ts';
export type { TaskRow } from '../db/tasks.ts';
export type { UsageSum } from '../db/transcript/transcript.ts';
export type { ChatStreamEvent } from './chat/chat-event.ts';
export type { ChatHandle } from './chat/chat-handle.ts';
export {
  ConsolidationFailedError,
  DatabaseUnreachableError,
  InvalidInputError,
  LonghaulError,
  NoWorkerError,
  ProjectEndedError,
  ProjectNotStartedError,
  ProjectStoppedError,
  RequestRefusedError,
  StackNotRunningError,
  TemporalUnreachableError,
} from './errors.ts';
export type { AnswerEvent } from './events/answer-event.ts';
export { type ConnectOptions, connectLonghaul, type Longhaul } from './longhaul.ts';
export type { MadeTools } from './made-tools/made-tools.ts';
export type {
  ConsolidationOutcome,
  ConsolidationRequest,
  Consolidations,
  MemoryChange,
} from './memory/consolidations.ts';
export { type Memories, openMemories } from './memory/open-memories.ts';
export type { Reindexing, ReindexStatus } from './memory/reindexing.ts';
export type { ProjectHandle } from './project/project-handle.ts';
export type { ProjectStatusView } from './project/project-status.ts';
export type { SessionSummary } from './project/session-summaries.ts';
export type { ProjectResult } from './project/wait-for-end.ts';
export type { StartRequest } from './start/start-request.ts';
