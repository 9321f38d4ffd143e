import { renderAgentInstructions, submitDescription } from '../../agents/runtime/definition/agent-instructions.ts';
import { toJsonSchema } from '../../agents/runtime/json-schema.ts';
import { describeProgramTool, programTool } from '../../agents/runtime/tools/program-tool.ts';
import { readAgentRun } from '../../db/agent-runs/agent-runs.ts';
import { beginAttempt, endAgentRun } from '../../db/agent-runs/attempts.ts';
import { findVersion } from '../../db/agent-runs/hosted-agents.ts';
import { endOutsideCall } from '../../db/agent-runs/outside-calls.ts';
import { keepRunAnswer } from '../../db/requests/run-requests.ts';
import { readLastAnswer } from '../../db/transcript/last-answer.ts';
import { type AgentDeclaration, submitTool } from '../../domain/agent-run/declaration.ts';
import type { AgentRunOutcome } from '../../domain/agent-run/run-request.ts';
import type { ModelTool } from '../../domain/model/model-provider.ts';
import { type AnswerSignal, isAnswer } from '../../domain/permissions/request.ts';
import type { RunAgent } from '../../domain/project/settings.ts';
import type { Dependencies } from '../dependencies.ts';
import { terminalFailure } from '../failures.ts';

/** The activities `beginAgentRun` and `endAgentRun`: the rows of a run of a user's own agent. */
export function createAgentRunActivities({
  answers,
  database,
  modelOf,
  prompts,
}: Pick<Dependencies, 'answers' | 'database' | 'modelOf' | 'prompts'>) {
  return { beginAgentRun, endAgentRun: end, answerRunRequest, failOutsideCall };

  /** Begins an attempt of a declared agent's run; says whether its result has a form, and which of its tools have no side effects. */
  async function beginAgentRun({
    runId,
    attempt,
  }: {
    runId: string;
    attempt: number;
  }): Promise<{ submits: boolean; readOnly: string[] }> {
    const { agent: key, version } = await readAgentRun(database, runId);
    const hosted = await findVersion(database, { key, version });
    if (!hosted) throw terminalFailure('InvalidInput', `The agent "${key}" is not known in the version ${version}.`);
    const { declaration } = hosted;
    const model = declaration.model ?? modelOf('agent', {});
    await beginAttempt(database, { runId, attempt, model, agent: toRunAgent(key, version, declaration) });
    answers.tellStored(runId);
    const readOnly = declaration.tools.filter(({ hasSideEffects }) => !hasSideEffects).map(({ name }) => name);
    return { submits: declaration.output !== undefined, readOnly };
  }

  /** Ends a run; if nothing was submitted, what a declared agent said last is its result. */
  async function end({ runId, outcome }: { runId: string; outcome: AgentRunOutcome }): Promise<void> {
    const { output } = await readAgentRun(database, runId);
    const inWords = outcome.status === 'SUCCEEDED' && output === null;
    const result = inWords ? { output: await readLastAnswer(database, runId) } : undefined;
    await endAgentRun(database, { runId, outcome, ...(result && { result }) });
    answers.tellStored(runId);
  }

  /** Stores a person's answer to a request of a run. */
  async function answerRunRequest({ runId, id, answer, reason }: AnswerSignal & { runId: string }): Promise<void> {
    if (!isAnswer(answer)) return; // such as a mistyped signal
    await keepRunAnswer(database, { runId, id, answer, by: 'person', ...(reason && { reason }) });
    answers.tellStored(runId);
  }

  /** Ends a call that could not be made in the sandbox. */
  async function failOutsideCall({ runId, call, reason }: { runId: string; call: string; reason: string }) {
    await endOutsideCall(database, { runId, id: call, result: reason, failed: true });
  }

  function toRunAgent(name: string, hash: string, declaration: AgentDeclaration): RunAgent {
    const { output } = declaration;
    const instructions = renderAgentInstructions(prompts, declaration.instructions, output !== undefined);
    const submit = output && {
      name: submitTool,
      description: submitDescription,
      parameters: output,
    };
    const declared = offeredTools(declaration);
    return { name, hash, instructions, declared: submit ? [...declared, submit] : declared };
  }
}

/** What an agent's model is offered of its tools. */
function offeredTools({ tools, codeMode }: AgentDeclaration): ModelTool[] {
  if (!codeMode) return tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
  const { name } = programTool;
  return [{ name, description: describeProgramTool(tools), parameters: toJsonSchema(programTool.parameters) }];
}
