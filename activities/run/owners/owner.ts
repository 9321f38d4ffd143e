import type { DecisionRow } from '../../../db/project/decisions.ts';
import type { Conversation } from '../../../db/transcript/read-conversation.ts';
import type { BudgetStanding, BudgetWarning, SpendingStop } from '../../../domain/project/budgets.ts';
import type { AgentRun } from '../../../domain/run/agent-run.ts';
import type { Message } from '../../../domain/run/message.ts';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
import type { FailureAdvice } from '../../model/model-failure.ts';
import type { ToolArguments, ToolContext } from '../../tools/tool.ts';

export interface BudgetCheck {
  /** The state of the budgets before the call. */
  standings: BudgetStanding[];
  /** Warnings that are due now: time has passed, a call brought no answer, or parallel calls used much together. */
  warnings: BudgetWarning[];
  stop?: SpendingStop;
}

/** What a summary repeats word for word, besides what the run's own messages show. */
export interface OwnFacts {
  /** Steering messages. */
  steered: string[];
  /** The messages of a person in a chat. */
  chatted: string[];
  decisions: DecisionRow[];
}

/** How the owners of runs differ. */
export interface Owner {
  /** Names it in the labels of model calls. */
  label: string;
  /** How a failed model call is reported. */
  advice: FailureAdvice;
  /** Whether its conversation continues after a refused request, without the refused message. */
  survivesRefusal: boolean;
  /** Whether a tool call waits for an unreachable container host as long as necessary, rather than a minute. */
  waitsForHost: boolean;
  /** The stored messages that a model may be sent. */
  selectMessages(messages: Message[]): Message[];
  /** The same messages in the form that every provider accepts. */
  formatMessages(messages: Message[]): Message[];
  /** Comma-separated models of a run, tried in order. */
  modelsOf(run: Pick<AgentRun, 'role'>, conversation: Pick<Conversation, 'model' | 'projectModels'>): string;
  /** Checks the budgets and the rules on spending before a model call, and gives the warnings that are due. */
  checkBudget(run: AgentRun, limits: Pick<Conversation, 'budgets' | 'permissions'>): Promise<BudgetCheck>;
  /** `upTo` is the last message to summarize. */
  readFacts(run: AgentRun, messages: Message[], upTo: number): Promise<OwnFacts>;
  /** The name of the sandbox that the run's tools work in; undefined if it has none. */
  sandboxOf(run: AgentRun): string | undefined;
  /** Finds or opens that sandbox; `lost` tells the agent that an earlier one is gone. */
  openSandbox(context: ToolContext): Promise<{ sandbox: Sandbox; lost?: string }>;
  /** Text for the agent. */
  searchMemory(run: AgentRun, query: ToolArguments<'search_memory'>): Promise<string>;
}
