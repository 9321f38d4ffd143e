import type { AgentMessage } from '../../domain/agent-run/message.ts';
import type { AnswerSchema, ModelCallSettings, ModelTool, ToolChoice } from '../../domain/model/model-provider.ts';
import type { Generated } from './agent-context.ts';
import type { Performed } from './record/recorder.ts';

/** What a model is asked besides the messages. */
export interface AskOptions extends ModelCallSettings {
  /** `provider/model`, or a comma-separated list, tried in order; the agent's own if absent. */
  model?: string | undefined;
  tools: ModelTool[];
  toolChoice?: ToolChoice | undefined;
  answerSchema?: AnswerSchema;
}

export interface AskListeners {
  /** Ends this call alone; the run's own signal ends it as well. */
  signal?: AbortSignal | undefined;
  /** Text while it is written, unless the answer is known from before or several models may give it. */
  onText?: ((text: string) => void) | undefined;
}

/** A model's answer, as it is recorded. */
export type Answer = Omit<Generated, 'output'>;

/** Asks a model once; what it returns is recorded. */
export type AskModel = (
  messages: AgentMessage[],
  options: AskOptions,
  listeners: AskListeners,
) => Promise<Performed<Answer>>;

/** Asks a model, or returns what it answered before a crash. */
export type AskOnce = (
  messages: readonly AgentMessage[],
  options: AskOptions,
  listeners?: AskListeners,
) => Promise<Answer>;
