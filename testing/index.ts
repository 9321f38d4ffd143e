export { CassetteError } from '../models/cassette/cassette.ts';
export { type CassetteReplay, replayCassette } from './cassette/replay-cassette.ts';
export type { TestWorker, TestWorkerOptions, WorkflowSinks } from './create-test-worker.ts';
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
export { ScriptedSandboxes } from './scripted-sandbox/scripted-sandboxes.ts';
export type { StoreContractCase } from './store-contract/contract-case.ts';
export { storeContracts } from './store-contract/store-contracts.ts';
