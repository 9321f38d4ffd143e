import { PermanentError } from '../../agents/runtime/agent-error.ts';
import type { AskModel } from '../../agents/runtime/ask-model.ts';
import { sumUsage } from '../../db/usage/sum-usage.ts';
import {
  type AgentRunLimits,
  findReachedCost,
  findReachedRunLimit,
  unlimitedAgentRun,
} from '../../domain/agent-run/run-request.ts';
import { splitModelNames } from '../../domain/model/model-name.ts';
import { preview } from '../../domain/storable-text.ts';
import type { Heartbeat } from '../heartbeat.ts';
import { createModelCalls } from '../model/model-calls.ts';
import { maxCalls as maxExecuted } from '../model/skipped-calls.ts';
import type { HostDependencies } from './host-dependencies.ts';

/** Asks models for one attempt of a coded agent's run; `turns` is how many answers the run has had, since each answer is a turn of its own. */
export function createAsk(
  dependencies: HostDependencies,
  {
    runId,
    attempt,
    turns,
    limits,
    signal,
    note,
  }: {
    runId: string;
    attempt: number;
    turns: number;
    limits: AgentRunLimits;
    signal: AbortSignal;
    note: Heartbeat['note'];
  },
): AskModel {
  const { agent, answers, callSettingsOf, database, modelOf } = dependencies;
  const modelCalls = createModelCalls(dependencies);
  let asked = turns;

  const { modelCalls: maxCalls, tokens: maxTokens } = unlimitedAgentRun;
  const isLimited = limits.usd !== undefined || limits.modelCalls < maxCalls || limits.tokens < maxTokens;

  /** Sums what the run has spent, which takes longer with each call, only where it has a limit. @throws {PermanentError} */
  async function expectWithinLimits(): Promise<void> {
    if (!isLimited) return;
    const { calls, inputTokens, outputTokens, costUsd } = await sumUsage(database, { runId });
    const spent = { modelCalls: calls, toolCalls: 0, tokens: inputTokens + outputTokens };
    const ofModels = { ...limits, toolCalls: unlimitedAgentRun.toolCalls };
    const reached = findReachedRunLimit(spent, ofModels) ?? findReachedCost(costUsd, limits);
    if (reached !== undefined) throw new PermanentError(reached);
  }

  return async (messages, { model, ...options }, { signal: own, onText }) => {
    await expectWithinLimits();
    asked += 1;
    const turn = asked;
    const names = splitModelNames(model ?? agent.model ?? modelOf('agent', {}));
    const tell = names.length === 1 ? onText : undefined; // a model that breaks off is replaced, and what it said with it
    const spoken = answers.open({ owner: runId, run: runId, turn, attempt });
    spoken.begin();
    let outcome: 'answered' | 'failed' = 'failed';
    try {
      const answer = await modelCalls.ask(
        names.join(','),
        {
          ...callSettingsOf('agent'),
          ...options,
          messages: messages.map(({ role, content: text, ...content }) => ({ role, content: { text, ...content } })),
          labels: { Run: runId, Role: 'agent', Agent: agent.key, Turn: `${turn}` },
          signal: own ? AbortSignal.any([signal, own]) : signal,
        },
        { note, place: { runId, turn, purpose: 'generation' } },
        {
          onDelta(delta) {
            spoken.add(delta);
            if (delta.type === 'text') tell?.(delta.text);
          },
        },
      );
      outcome = 'answered';
      const { text, toolCalls, finish, usage, carried } = answer;
      const { inputTokens, outputTokens } = usage ?? {};
      return {
        result: {
          ...{ text, toolCalls, finish, model: answer.model },
          usage: usage && { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens },
          ...(carried && { carried }),
        },
        entry: answer.entry,
        events: [
          {
            type: 'assistant.message',
            ...{ run: runId, turn, text: preview(text), durationMs: answer.entry.durationMs ?? 0 },
            tools: toolCalls
              .slice(0, maxExecuted)
              .map((call) => ({ tool: preview(call.name, 60), preview: preview(call.arguments, 80) })),
            ...{ inputTokens: inputTokens ?? null, outputTokens: outputTokens ?? null },
          },
        ],
      };
    } finally {
      spoken.end(outcome);
    }
  };
}
