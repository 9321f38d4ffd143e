import { createHash } from 'node:crypto';
import { isBuiltInTool } from '../../agents/runtime/tools/built-in-tools.ts';
import { programTool } from '../../agents/runtime/tools/program-tool.ts';
import { readAgentRun } from '../../db/agent-runs/agent-runs.ts';
import { findVersion } from '../../db/agent-runs/hosted-agents.ts';
import { endOutsideCall, findOutsideCall, type OutsideCallRow } from '../../db/agent-runs/outside-calls.ts';
import type { AgentDeclaration } from '../../domain/agent-run/declaration.ts';
import { preview } from '../../domain/storable-text.ts';
import type { ProgramEnd } from '../../sandbox/agent-tools/program.ts';
import { runFunction } from '../../sandbox/agent-tools/run-function.ts';
import type { Dependencies } from '../dependencies.ts';
import { terminalFailure } from '../failures.ts';
import { type ActivitySignals, withHeartbeat } from '../heartbeat.ts';
import { openRunSandbox } from '../sandbox/run-sandbox.ts';
import { createTools } from '../tools/create-tools.ts';
import { type CallsOfProgram, createRunProgram } from './run-program.ts';

/** Milliseconds, for a tool without a timeout of its own. */
const defaultTimeoutMs = 120_000;

export interface SandboxCallInput {
  runId: string;
  call: string;
  /** Why a program's further calls are not made; the program ends with it. */
  refused?: string;
}

type Ended = Pick<OutsideCallRow, 'result' | 'failed'>;

/**
 * The activity `runSandboxCall`: makes a call of a user's own agent in the sandbox of its run; one that has ended is not made again. Of a program it
 * returns the calls that have to be made before this is called again.
 */
export function createRunSandboxCall(dependencies: Dependencies) {
  const { database } = dependencies;
  const tools = createTools(dependencies);
  const runProgram = createRunProgram(dependencies);

  return async function runSandboxCall({
    runId,
    call: id,
    refused,
  }: SandboxCallInput): Promise<Partial<CallsOfProgram>> {
    const call = await findOutsideCall(database, { runId, id });
    if (!call) throw new Error(`Expected the call ${id} of ${runId}, found none.`);
    if (call.endedAt) return {};
    const ended =
      refused === undefined ? await withHeartbeat((signals) => make(call, signals)) : { result: refused, failed: true };
    if ('calls' in ended) return ended;
    await endOutsideCall(database, { runId, id, ...ended });
    return {};
  };

  async function make(call: OutsideCallRow, signals: ActivitySignals): Promise<Ended | CallsOfProgram> {
    const { agent: key, version } = await readAgentRun(database, call.runId);
    const { declaration } = (await findVersion(database, { key, version })) ?? {};
    if (!declaration)
      throw terminalFailure('InvalidInput', `The agent "${key}" is not known in the version ${version}.`);
    const made = await makeBy(declaration, call, signals);
    signals.cancel.throwIfAborted(); // a stopped call says nothing
    return made;
  }

  async function makeBy(
    { tools: declared, codeMode }: AgentDeclaration,
    call: OutsideCallRow,
    signals: ActivitySignals,
  ): Promise<Ended | CallsOfProgram> {
    if (codeMode && call.tool === programTool.name) {
      const end = await runProgram(call, commandOf(call), declared, signals);
      return 'calls' in end ? end : describeEnd(end);
    }
    if (isBuiltInTool(call.tool)) return runBuiltIn(call, call.tool, signals);
    const source = declared.find(({ name }) => name === call.tool)?.source;
    if (source === undefined) throw terminalFailure('InvalidInput', `The tool ${call.tool} has no source.`);
    return runSource(call, source, signals);
  }

  async function runBuiltIn(call: OutsideCallRow, tool: keyof typeof tools, signals: ActivitySignals): Promise<Ended> {
    const { runId } = call;
    const run = { owner: { kind: 'run' as const, id: runId }, runId, role: 'agent' as const, maxTurns: 0 };
    const { text, failed = false } = await tools[tool](call.input, { run, id: commandOf(call), ...signals });
    return { result: text, failed };
  }

  /** Runs the function of the agent's own code. */
  async function runSource(call: OutsideCallRow, source: string, signals: ActivitySignals): Promise<Ended> {
    const { runId, id: callId, input, timeoutMs } = call;
    const sandbox = await openRunSandbox(dependencies, runId);
    const request = { id: commandOf(call), callId, source, input, timeoutMs: timeoutMs ?? defaultTimeoutMs };
    const report = await runFunction(sandbox, { ...request, ...signals });
    return 'error' in report ? { result: report.error, failed: true } : { result: report.value, failed: false };
  }
}

/** The id of a call's command in the sandbox, where ids have few kinds of characters. */
function commandOf({ id }: OutsideCallRow): string {
  return `call-${createHash('sha256').update(id).digest('hex').slice(0, 24)}`;
}

/** What an agent reads of its program. */
function describeEnd(end: ProgramEnd): Ended {
  if (end.ended === 'interrupted') return { result: 'It was stopped.', failed: true };
  const parts = [
    ['result', end.ended === 'returned' ? JSON.stringify(end.value) : ''],
    ['output', preview(end.output, 8_000)],
    ['error', end.ended === 'failed' ? end.error : ''],
  ].filter(([, text]) => text);
  const text = parts.map(([name, said]) => `[${name}]\n${said}`).join('\n');
  return { result: text, failed: end.ended === 'failed' };
}
