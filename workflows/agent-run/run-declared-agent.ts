import {
  type AgentLoopState,
  type AgentRunOutcome,
  type AgentRunRequest,
  findReachedRunLimit,
} from '../../domain/agent-run/run-request.ts';
import type { AgentRun } from '../../domain/run/agent-run.ts';
import { model } from '../activities.ts';
import { type Agent, agentLoop, type RunEnd, resetProgress } from '../agent/agent-loop.ts';
import { executeCalls } from '../agent/execute-calls.ts';
import { type CallParts, executeAgentCall } from './execute-agent-call.ts';

export function startOfLoop(): AgentLoopState {
  return { turn: 1, traces: [], idleAnswers: 0, spent: { modelCalls: 0, toolCalls: 0, tokens: 0 } };
}

/** A model that answers three times in a row without getting anything done will not do so. */
const maxIdleAnswers = 3;

interface DeclaredAgentParts extends Omit<CallParts, 'queue'> {
  submits: boolean;
  /** The tools without side effects. */
  readOnly: readonly string[];
  state: AgentLoopState;
  shouldYield(): boolean;
}

/** Runs a declared agent's loop until it answers in words or, if its result has a form, submits it; `state` then holds where to continue. */
export function runDeclaredAgent(
  { runId, queue, limits }: AgentRunRequest,
  { submits, readOnly, gate, news, inSandbox, state, shouldYield }: DeclaredAgentParts,
): Promise<RunEnd<AgentRunOutcome>> {
  const run: AgentRun<'run'> = {
    owner: { kind: 'run', id: runId },
    ...{ runId, role: 'agent', maxTurns: limits.modelCalls, ...(submits && { submits: true as const }) },
  };
  const { spent } = state;

  const agent: Agent<AgentRunOutcome> = {
    model,
    watchesIdleness: false, // only its user knows what its tools change

    beforeTurn() {
      const reached = findReachedRunLimit(spent, limits);
      if (reached !== undefined) return failed(reached);
      if (shouldYield()) return { kind: 'yield' };
      return { kind: 'continue', aside: state.nudge === undefined ? {} : { nudge: state.nudge } };
    },

    onAnswer(answer) {
      if ('status' in answer) return failed(answer.reason);
      delete state.nudge;
      spent.modelCalls += 1;
      spent.tokens += answer.tokens ?? 0;
      if (answer.calls.length > 0) {
        state.idleAnswers = 0;
        return { kind: 'continue' };
      }
      if (!submits && answer.wording === undefined) return { kind: 'ended', ending: { status: 'SUCCEEDED' } };
      state.idleAnswers += 1;
      if (state.idleAnswers < maxIdleAnswers) return { kind: 'continue' };
      const why = submits ? 'without submitting its result' : 'empty or cut off at the token limit';
      return failed(`The model answered ${maxIdleAnswers} times in a row ${why}.`, true);
    },

    async execute(turn, answer) {
      const calls = answer.calls.map((call) => ({ ...call, readOnly: readOnly.includes(call.name) }));
      const allowed = calls.slice(0, limits.toolCalls - spent.toolCalls);
      spent.toolCalls += calls.length;
      return executeCalls(allowed, ({ position, summary }) => {
        const input = { ...run, turn, position, messageNumber: answer.messageNumber + 1 + position };
        return executeAgentCall({ queue, gate, news, inSandbox }, input, summary);
      });
    },

    async afterTurn(_answer, executed, stuck) {
      if (executed.some(({ results }) => results.some(({ ends }) => ends !== undefined))) {
        return { kind: 'ended', ending: { status: 'SUCCEEDED' } };
      }
      if (stuck === undefined) return { kind: 'continue' };
      if (state.warned) return failed(stuck);
      state.nudge = stuck;
      resetProgress(state);
      return { kind: 'continue' };
    },
  };

  return agentLoop(run, gate, state, agent);
}

function failed(reason: string, retryable = false): { kind: 'ended'; ending: AgentRunOutcome } {
  return { kind: 'ended', ending: { status: 'FAILED', reason, retryable } };
}
