import { renderAgentInstructions, submitDescription } from '../../agents/runtime/agent-instructions.ts';
import { readAgentRun } from '../../db/agent-runs/agent-runs.ts';
import { beginAttempt, endAgentRun } from '../../db/agent-runs/attempts.ts';
import { findVersion } from '../../db/agent-runs/hosted-agents.ts';
import { readLastAnswer } from '../../db/transcript/last-answer.ts';
import { type AgentDeclaration, submitTool } from '../../domain/agent-run/declaration.ts';
import type { AgentRunOutcome } from '../../domain/agent-run/run-request.ts';
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
  return { beginAgentRun, endAgentRun: end };

  /** Begins an attempt of a declared agent's run; says whether its result has a form. */
  async function beginAgentRun({ runId, attempt }: { runId: string; attempt: number }): Promise<{ submits: boolean }> {
    const { agent: key, version } = await readAgentRun(database, runId);
    const hosted = await findVersion(database, { key, version });
    if (!hosted) throw terminalFailure('InvalidInput', `The agent "${key}" is not known in the version ${version}.`);
    const { declaration } = hosted;
    const model = declaration.model ?? modelOf('agent', {});
    await beginAttempt(database, { runId, attempt, model, agent: toRunAgent(key, version, declaration) });
    answers.tellStored(runId);
    return { submits: declaration.output !== undefined };
  }

  /** Ends a run; if nothing was submitted, what a declared agent said last is its result. */
  async function end({ runId, outcome }: { runId: string; outcome: AgentRunOutcome }): Promise<void> {
    const { output } = await readAgentRun(database, runId);
    const inWords = outcome.status === 'SUCCEEDED' && output === null;
    const result = inWords ? { output: await readLastAnswer(database, runId) } : undefined;
    await endAgentRun(database, { runId, outcome, ...(result && { result }) });
    answers.tellStored(runId);
  }

  function toRunAgent(name: string, hash: string, declaration: AgentDeclaration): RunAgent {
    const { tools, output } = declaration;
    const instructions = renderAgentInstructions(prompts, declaration.instructions, output !== undefined);
    const submit = output && {
      name: submitTool,
      description: submitDescription,
      parameters: output,
    };
    const declared = tools.map(({ name: called, description, parameters }) => ({
      name: called,
      description,
      parameters,
    }));
    return { name, hash, instructions, declared: submit ? [...declared, submit] : declared };
  }
}
