export type { Attached, Operation, RunStore } from '../agents/runtime/record/run-store.ts';
export { type EventBus, maxPayloadBytes, type Subscriber } from '../db/bus/event-bus.ts';
export { createMemoryEventBus, createMemoryHub } from '../db/bus/memory-event-bus.ts';
export type { RunRecord } from '../domain/agent-run/run-record.ts';
export { CassetteError } from '../models/cassette/cassette.ts';
export { AgentTestError, type AgentTestErrorCode } from './agents/agent-test-error.ts';
export { createTestContext, type TestContext, type TestContextOptions } from './agents/create-test-context.ts';
export {
  type EvaluatedCase,
  type Evaluation,
  type EvaluationCase,
  type EvaluationOptions,
  evaluate,
  expectPassed,
} from './agents/evaluation/evaluate.ts';
export type { Judge, Verdict } from './agents/evaluation/judge.ts';
export { judgeByModel, type ModelJudgeOptions } from './agents/evaluation/judge-by-model.ts';
export { expectFailure, expectSuccess } from './agents/expectations/expect-end.ts';
export {
  type EventPattern,
  expectEvent,
  expectEventOrder,
  expectNoEvent,
  type HasEvents,
} from './agents/expectations/expect-events.ts';
export { expectEffectsOnce, expectNoTool, expectTool } from './agents/expectations/expect-tools.ts';
export { MemoryRunStore, type RecordedEvent, type RecordedRun } from './agents/memory-run-store.ts';
export { type RecordableRun, recordRun } from './agents/replay/record-run.ts';
export { expectUnchanged, type Replay, type ReplayOptions, replayRuns } from './agents/replay/replay-runs.ts';
export type { ReplayChange } from './agents/replay/replay-source.ts';
export { type AgentTestOptions, type AgentTestRun, runAgentTest } from './agents/run-agent-test.ts';
export {
  type AskedModel,
  type ScriptedAnswer,
  ScriptedAnswers,
  type ScriptedReply,
  scriptAnswers,
} from './agents/scripted-answers.ts';
export { type CrashOptions, type CrashPoint, type SimulatedCrash, simulateCrash } from './agents/simulate-crash.ts';
export { createTestStack, type TestStack, type TestStackOptions } from './agents/stack/create-test-stack.ts';
export type { ToolExecution } from './agents/watched-tools.ts';
export { type CassetteReplay, replayCassette } from './cassette/replay-cassette.ts';
export type { TestWorker, TestWorkerOptions, WorkflowSinks } from './create-test-worker.ts';
export {
  type EventBusContractCase,
  type EventBusContractHost,
  eventBusContract,
} from './event-bus-contract/event-bus-contract.ts';
export { createTestWorker } from './load-test-worker.ts';
export type { SandboxContractCase, SandboxContractHost } from './sandbox-contract/contract-case.ts';
export { sandboxContract, sandboxContractCommands } from './sandbox-contract/sandbox-contract.ts';
export type { ControlInput, MisbehaviourInput } from './scripted-model/misbehaviour/misbehaviour.ts';
export type { LoggedRequest } from './scripted-model/request-log.ts';
export { loadScript } from './scripted-model/script/load-script.ts';
export { type Script, ScriptError, type ScriptInput } from './scripted-model/script/script.ts';
export {
  type ScriptedModel,
  type ScriptedModelOptions,
  startScriptedModel,
} from './scripted-model/start-scripted-model.ts';
export type {
  CommandAnswerer,
  CommandRule,
  CommandScript,
  ScriptedCommand,
  ScriptedResult,
} from './scripted-sandbox/command-script.ts';
export { UnscriptedCommandError } from './scripted-sandbox/command-script.ts';
export { ScriptedSandbox } from './scripted-sandbox/scripted-sandbox.ts';
export { ScriptedSandboxes } from './scripted-sandbox/scripted-sandboxes.ts';
export type { StoreContractCase } from './store-contract/contract-case.ts';
export { storeContracts } from './store-contract/store-contracts.ts';
