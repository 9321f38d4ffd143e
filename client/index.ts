export { AgentFileError } from '../agents/own-agents/parse-agent.ts';
export type { ProjectToolCall, ProjectToolResult, ProjectTools } from '../agents/project-tools/project-tools.ts';
export { projectToolDeclarations } from '../agents/tools/project-tool-declarations.ts';
export { type Configuration, readConfiguration } from '../config/configuration.ts';
export { configure } from '../config/configure.ts';
export type { LonghaulConfig } from '../config/define-config.ts';
export type { ChatBranch } from '../db/chats/branches.ts';
export type { ChatExchange, ChatStep, HistoryPart } from '../db/chats/read-history.ts';
export { DatabaseError, type DatabaseErrorCode } from '../db/database-error.ts';
export type { FeatureState } from '../db/features/features.ts';
export type { Memory, MemoryCursor, MemoryFilter, MemoryPage, NewMemory, Reader } from '../db/memory/memory.ts';
export { MemoryError, type MemoryErrorCode } from '../db/memory/memory-error.ts';
export type { MemoryStats } from '../db/memory/memory-store.ts';
export type { Learned } from '../db/memory/quality/learn.ts';
export type { FoundMemory, MemoryQuery } from '../db/memory/search/memory-query.ts';
export type { StoredMemory } from '../db/memory/visibility/admitted.ts';
export type { PurposeSum, UsageSum } from '../db/usage/sum-usage.ts';
export type { Chat } from '../domain/chat/chat.ts';
export { ConfigurationError } from '../domain/configuration-error.ts';
export { type ErrorKind, LonghaulError } from '../domain/longhaul-error.ts';
export type { Consolidation, ConsolidationChange, CountedConsolidation } from '../domain/memory/consolidation.ts';
export type { InboxRequest } from '../domain/permissions/inbox-request.ts';
export type { AnswerSignal, RequestAnswer } from '../domain/permissions/request.ts';
export type { RuleTexts } from '../domain/permissions/rule.ts';
export type { Spent } from '../domain/project/budgets.ts';
export type { Checkpoint } from '../domain/project/checkpoint.ts';
export type { Decision, JudgedDecision } from '../domain/project/decision.ts';
export type {
  BudgetRequest,
  RevertRequest,
  RevertResult,
  SessionRequest,
  SessionStarted,
  Steered,
  SteerRequest,
} from '../domain/project/messages.ts';
export type { Project } from '../domain/project/project.ts';
export type { Proposal, ProposalInput } from '../domain/project/proposal.ts';
export type { Budget, BudgetScope, Budgets, ChatAgent, ProjectSettings } from '../domain/project/settings.ts';
export type { FeatureStatus, ProjectStatus, SessionStatus } from '../domain/project/statuses.ts';
export type { ProjectEvent, ProjectEventData } from '../domain/run/event.ts';
export type { CountedCall, Transcript, TranscriptRun, TranscriptSummary } from '../domain/run/transcript.ts';
export type {
  AuditEntry,
  AuditFilter,
  AuditStore,
  Concerns,
  ErrorRecord,
  ErrorSeverity,
  MetricFilter,
  MetricSummary,
  NewAuditEntry,
  NewErrorRecord,
  NewMetric,
  Recorded,
} from '../domain/stores/audit.ts';
export type {
  Branch,
  Conversation,
  ConversationMessage,
  ConversationStore,
  MessagePage,
  NewConversation,
  NewConversationMessage,
} from '../domain/stores/conversations.ts';
export { createInMemoryStores } from '../domain/stores/in-memory/create-in-memory-stores.ts';
export type { Json } from '../domain/stores/json.ts';
export type { Entry, EntryPage, KeyValueStore } from '../domain/stores/key-value.ts';
export type {
  Fact,
  FactChange,
  FactFilter,
  FactType,
  FoundFact,
  KnowledgeSource,
  KnowledgeStore,
  NewFact,
  NewSummary,
  Summary,
} from '../domain/stores/knowledge.ts';
export type { PreferenceOwner, PreferenceStore } from '../domain/stores/preferences.ts';
export type { ExportedRow, Owner, Purgeable, PurgeSubject, Removed, StoreName } from '../domain/stores/purge.ts';
export { updateEntry } from '../domain/stores/rules/update-entry.ts';
export type { Scope } from '../domain/stores/scope.ts';
export { StoreError, type StoreErrorCode } from '../domain/stores/store-error.ts';
export type { StoreSet } from '../domain/stores/stores.ts';
export type { NewTask, Task, TaskChange, TaskFilter, TaskStatus, TaskStore } from '../domain/stores/tasks.ts';
export type { FinishedSpan, SpanAttributes, TraceSink } from '../domain/telemetry/span.ts';
export type { ListedMadeTool, MadeTool, MadeToolVersion } from '../domain/tool/made-tool.ts';
export { MadeToolRefusedError } from '../domain/tool/refusal.ts';
export type { Evidence, EvidenceBundle } from '../domain/verification/evidence.ts';
export type { Verification } from '../domain/verification/verification.ts';
export { GitError, type GitErrorCode } from '../git/errors.ts';
export type { AgentRuns } from './agent-runs/agent-runs.ts';
export { type RunFailedCode, RunFailedError } from './agent-runs/run-failed.ts';
export type {
  EventsOptions,
  ProvidedCall,
  ProvidedTools,
  Providing,
  RunEvent,
  RunHandle,
} from './agent-runs/run-handle.ts';
export type { RunInput, RunOptions } from './agent-runs/run-options.ts';
export type { RunResult, RunView } from './agent-runs/run-view.ts';
export type { ChatHandle, ChatStreamEvent, SayOptions, WatchChatOptions } from './chat/chat-handle.ts';
export { expandCommand, type OwnCommand, type OwnCommands, readOwnCommands } from './chat/own-commands.ts';
export { ClientError, type ClientErrorCode, isUnreachable } from './errors.ts';
export type { AnswerEvent } from './events/answer-reader.ts';
export type { FollowOptions, OnEvent } from './events/follow-events.ts';
export type { Trouble, WatchOptions } from './events/poll.ts';
export type { Inbox } from './inbox/inbox.ts';
export { type ConnectOptions, connectLonghaul, type Longhaul, loadConfiguration } from './longhaul.ts';
export type { MadeTools } from './made-tools/made-tools.ts';
export type {
  ConsolidationOutcome,
  ConsolidationRequest,
  Consolidations,
  MemoryChange,
} from './memory/consolidations.ts';
export { type Memories, openMemories } from './memory/open-memories.ts';
export type { Reindexing, ReindexStatus } from './memory/reindexing.ts';
export type { BudgetView } from './project/budget-view.ts';
export type { ProjectHandle } from './project/project-handle.ts';
export type { Cost, ProjectStatusView } from './project/project-status.ts';
export type { CheckpointDiff } from './project/read-checkpoint-diff.ts';
export type { SessionSummary } from './project/session-summaries.ts';
export type { ProjectResult, WaitOptions } from './project/wait-for-end.ts';
export type { Report } from './report/read-report.ts';
export { addSkill, findSkill, listSkills } from './skills/skills.ts';
export type { StartRequest } from './start/check-goal.ts';
export type { SettingsRequest } from './start/check-settings.ts';
export type { StoreChoice, StoreChoices } from './stores/choose-store.ts';
export { createStores } from './stores/create-stores.ts';
export type { PurgeReport, Stores } from './stores/stores.ts';
