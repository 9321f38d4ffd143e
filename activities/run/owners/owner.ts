import type { DecisionRow } from '../../../db/project/decisions.ts';
import type { Conversation } from '../../../db/transcript/read-conversation.ts';
import type { BudgetStanding, BudgetWarning } from '../../../domain/project/budgets.ts';
import type { Budgets } from '../../../domain/project/settings.ts';
import type { AgentRun } from '../../../domain/run/agent-run.ts';
import type { Message } from '../../../domain/run/message.ts';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
import type { FailureAdvice } from '../../model/model-failure.ts';
import type { ToolArguments, ToolContext } from '../../tools/tool.ts';

export interface BudgetCheck {
  /** The state of the budgets before the call. */
  standings: BudgetStanding[];
  /** Those that were due and are given now: time has passed, a call brought no answer, or calls side by side used much together. */
  warnings: BudgetWarning[];
  /** Set if a budget is spent, so that the model must not be asked: why, and what is left to do. */
  overBudget?: string;
}

/** What a summary repeats word for word, beside what the run's own messages show. */
export interface OwnFacts {
  /** What a person said to a running agent. */
  steered: string[];
  /** What a person said in a chat. */
  chatted: string[];
  decisions: DecisionRow[];
}

/** What differs between the kinds of owners that a run can belong to. */
export interface Owner {
  /** Names it in the labels of model calls. */
  label: string;
  /** How a failed model call is reported. */
  advice: FailureAdvice;
  /** Whether its conversation goes on after a request was refused, without what was refused. */
  survivesRefusal: boolean;
  /** Whether a tool call waits for an unreachable container host until it is back, rather than for a minute. */
  waitsForHost: boolean;
  /** The stored messages that a model may be sent. */
  selectMessages(messages: Message[]): Message[];
  /** The same messages in the form that every provider accepts. */
  formatMessages(messages: Message[]): Message[];
  /** Comma-separated models of a run, tried in order. */
  modelsOf(run: Pick<AgentRun, 'role'>, conversation: Pick<Conversation, 'model' | 'projectModels'>): string;
  /** Checks the budgets before a model call, and gives the warnings that are due. */
  checkBudget(run: AgentRun, budgets: Budgets | null): Promise<BudgetCheck>;
  /** `upTo` is the last message to summarize. */
  readFacts(run: AgentRun, messages: Message[], upTo: number): Promise<OwnFacts>;
  /** The name of the sandbox that the run's tools work in; undefined if it has none. */
  sandboxOf(run: AgentRun): string | undefined;
  /** Finds or opens that sandbox; `lost` tells the agent that an earlier one is gone. */
  openSandbox(context: ToolContext): Promise<{ sandbox: Sandbox; lost?: string }>;
  /** Text for the agent. */
  searchMemory(run: AgentRun, query: ToolArguments<'search_memory'>): Promise<string>;
}
