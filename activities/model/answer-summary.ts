import { definitionOf } from '../../agents/agent-definition.ts';
import { isToolName, toolDeclarations } from '../../agents/tools/tool-declarations.ts';
import { describeCall } from '../../db/transcript/describe-call.ts';
import { type SpendingStop, warningShare } from '../../domain/project/budgets.ts';
import type { Message } from '../../domain/run/message.ts';
import { preview } from '../../domain/storable-text.ts';
import type { NeedsSummary } from '../compaction/fit-conversation.ts';
import type { ModelTurn } from './ask-model.ts';
import { maxCalls } from './skipped-calls.ts';

/** What a workflow needs to know about an answer. */
export interface AnswerSummary {
  messageNumber: number;
  /** The calls to execute. */
  calls: Array<{ position: number; name: string; readOnly: boolean; summary: string }>;
  /** For a project's agent that has little left: a remark to append to the results of these calls. */
  remark?: string;
  /** How many calls there are beyond these; their results say that they were not executed. */
  undone?: number;
  /** For an agent that answers a person: tokens of the call and of the failed ones before it. */
  tokens?: number;
  /** For an agent that has to call tools: the answer calls none and was cut off at the token limit. */
  cutOff?: true;
  /** For an agent that answers a person: the answer has no text, or was cut off at the token limit. */
  wording?: 'none' | 'cut-off';
  /** Set if the model was not asked because of what was spent. */
  overBudget?: SpendingStop;
  /** Set if the project is paused, so that the model was not asked; the workflow may not know of the pause yet. */
  paused?: true;
  /** Set if the model was not asked because older turns have to be summarized first. */
  compact?: NeedsSummary['compact'];
  /** Set if the conversation no longer fits the model, however much of it is left out: the provider's message. */
  contextFull?: string;
  /** Set if the model, or a filter in front of it, refused to answer: its message. */
  refused?: string;
}

/** The summary of a turn whose model was not asked. */
export const unasked = { messageNumber: -1, calls: [] };

/** Agents that answer a person have limits of another kind, which their workflow tells them. */
export function remarkOn(input: ModelTurn, warnings: string[]): string | undefined {
  return definitionOf(input).answersInWords ? undefined : remarkOnLimits(input, warnings);
}

export function summarize(input: ModelTurn, message: Message, tokens: number, warnings: string[] = []): AnswerSummary {
  const answersInWords = definitionOf(input).answersInWords;
  const { refused, cutOff, toolCalls = [] } = message.content;
  // A refusal in the middle of calls ends the run, and its end gives these calls their results.
  const calls = refused ? [] : toolCalls;
  const remark = remarkOn(input, warnings);
  return {
    messageNumber: message.number,
    ...(remark && { remark }),
    ...(refused && { refused: describeRefusal(message) }),
    ...(answersInWords ? { tokens, ...wordingOf(message) } : cutOff && !calls.length && { cutOff }),
    ...(calls.length > maxCalls && { undone: calls.length - maxCalls }),
    calls: calls.slice(0, maxCalls).map((call, position) => ({
      position,
      name: preview(call.name, 60),
      readOnly: isToolName(call.name) && toolDeclarations[call.name].readOnly,
      summary: `${preview(call.name, 60)} ${describeCall(call, 80)}`.trim(),
    })),
  };
}

/** A filter may stop an answer before its first word. */
function describeRefusal({ content }: Message): string {
  const within = content.toolCalls?.at(-1)?.name;
  return (
    preview(content.text, 300) ||
    (within ? `it was stopped during a call of ${preview(within, 60)}` : 'it said nothing')
  );
}

function wordingOf({ content }: Message): Pick<AnswerSummary, 'wording'> {
  if (content.cutOff) return { wording: 'cut-off' };
  return content.text.trim() ? {} : { wording: 'none' };
}

/**
 * The remark that is appended to the results of a turn when little is left: when a fifth of the turns is left, half of that, and one; and for budgets
 * that have just reached that share. Undefined otherwise.
 */
export function remarkOnLimits(run: { turn: number; maxTurns: number }, warnings: string[]): string | undefined {
  const remarks = [remarkOnTurns(run.maxTurns - run.turn, run.maxTurns), ...warnings.map((warning) => `${warning}.`)];
  const due = remarks.filter((remark) => remark !== undefined);
  return due.length ? `[${due.join(' ')}]` : undefined;
}

function remarkOnTurns(left: number, maxTurns: number): string | undefined {
  const fewLeft = Math.ceil(maxTurns * (1 - warningShare));
  if (left === 1) return 'Your next turn is the last: end your run with it.';
  return left === fewLeft || left === Math.ceil(fewLeft / 2)
    ? `${left} of your ${maxTurns} turns are left.`
    : undefined;
}
