import { z } from 'zod';
import type { Generated } from '../../agents/runtime/agent-context.ts';
import type { AskModel } from '../../agents/runtime/ask-model.ts';
import type { AgentMessage } from '../../domain/agent-run/message.ts';
import { describeMisfit } from '../../domain/describe-issue.ts';
import { preview } from '../../domain/storable-text.ts';
import { AgentTestError } from './agent-test-error.ts';

/** What a scripted model answers. */
export interface ScriptedReply {
  text?: string;
  /** An answer in a form: becomes the text, as JSON. */
  json?: unknown;
  calls?: ReadonlyArray<{ tool: string; arguments?: Record<string, unknown> }>;
  /** `done` if absent. */
  finish?: Generated['finish'];
  /** Tokens; not counted if absent. */
  usage?: { inputTokens: number; outputTokens: number };
  /** Thrown in the place of an answer. */
  error?: Error;
}

const replySchema = z.strictObject({
  text: z.string().optional(),
  json: z.any().optional(),
  calls: z.array(z.strictObject({ tool: z.string(), arguments: z.record(z.string(), z.any()).optional() })).optional(),
  finish: z.enum(['done', 'length', 'refusal']).optional(),
  usage: z.strictObject({ inputTokens: z.number(), outputTokens: z.number() }).optional(),
  error: z.any().optional(),
});

/** What a model was asked. */
export interface AskedModel {
  messages: AgentMessage[];
  /** The names of the tools that it may ask for. */
  tools: string[];
  /** What else the agent asked for, such as `model`, `answerSchema` or `temperature`. */
  options: Record<string, unknown>;
}

/** An answer, or a function of what is asked. */
export type ScriptedAnswer = ScriptedReply | ((asked: AskedModel) => ScriptedReply | Promise<ScriptedReply>);

/** A model that gives prepared answers, one for each time that it is asked. */
export class ScriptedAnswers {
  /** All that it was asked, in order. */
  readonly asked: AskedModel[] = [];
  readonly #answers: readonly ScriptedAnswer[];
  #problem: AgentTestError | undefined;

  constructor(answers: readonly ScriptedAnswer[]) {
    this.#answers = answers;
  }

  /** How many answers were not needed so far. */
  get left(): number {
    return Math.max(0, this.#answers.length - this.asked.length);
  }

  /**
   * @throws {AgentTestError} `ScriptExhausted` if it was ever asked for more than it has, `ScriptUnusable` if an answer is none that a model gives; also
   * where an agent caught that.
   */
  expectEnough(): void {
    if (this.#problem) throw this.#problem;
  }

  /** @throws {AgentTestError} `ScriptLeft` if there are answers that nobody asked for; `ScriptExhausted`. */
  expectUsedUp(): void {
    this.expectEnough();
    if (this.left === 0) return;
    const { length } = this.#answers;
    throw new AgentTestError(
      'ScriptLeft',
      `Expected the model to be asked ${length} times, but it was asked ${this.asked.length} times. Remove the answers that are not needed, or look why the agent ended early.`,
    );
  }

  /** @throws {AgentTestError} `ScriptExhausted`, `ScriptUnusable`; and the error of the answer. */
  async answer(asked: AskedModel): Promise<Omit<ScriptedReply, 'error' | 'json'> & { text: string }> {
    const { length } = this.asked;
    this.asked.push(structuredCloneOf(asked));
    const next = this.#answers[length];
    if (next === undefined) {
      const last = asked.messages.at(-1);
      throw this.#keep(
        'ScriptExhausted',
        `The script has ${this.#answers.length} answers, and the model was asked once more, with the last message (${last?.role}): ${preview(last?.content ?? '', 300)}\nAdd an answer, or look why the agent goes on.`,
      );
    }
    const given = typeof next === 'function' ? await next(asked) : next;
    const misfit = describeMisfit(replySchema, given);
    if (misfit !== undefined) {
      throw this.#keep('ScriptUnusable', `Answer ${length + 1} of the script cannot be given:\n${misfit}`);
    }
    const { error, json, ...reply } = given;
    if (error) throw error;
    return { ...reply, text: reply.text ?? (json === undefined ? '' : JSON.stringify(json)) };
  }

  #keep(code: 'ScriptExhausted' | 'ScriptUnusable', message: string): AgentTestError {
    this.#problem ??= new AgentTestError(code, message);
    return this.#problem;
  }

  /** The model as the context of a run asks it. */
  of(runId: string): AskModel {
    let turn = 0;
    return async (messages, { tools, ...options }, { onText }) => {
      turn += 1;
      const {
        text,
        calls = [],
        finish = 'done',
        usage,
      } = await this.answer({
        ...{ messages, tools: tools.map(({ name }) => name), options },
      });
      if (text) onText?.(text);
      const toolCalls = calls.map((call, position) => ({
        id: `call-${this.asked.length}-${position}`,
        name: call.tool,
        arguments: JSON.stringify(call.arguments ?? {}),
      }));
      return {
        result: { text, toolCalls, finish, model: 'scripted/answers', usage: usage ?? null },
        events: [
          {
            type: 'assistant.message',
            ...{ run: runId, turn, text: preview(text), durationMs: 0 },
            tools: toolCalls.map((call) => ({ tool: preview(call.name, 60), preview: preview(call.arguments, 80) })),
            ...{ inputTokens: usage?.inputTokens ?? null, outputTokens: usage?.outputTokens ?? null },
          },
        ],
      };
    };
  }
}

/** A model that gives these answers, one for each time that it is asked. */
export function scriptAnswers(answers: readonly ScriptedAnswer[]): ScriptedAnswers {
  return new ScriptedAnswers(answers);
}

/** A script as it is, or answers as one. */
export type ScriptOrAnswers = ScriptedAnswers | readonly ScriptedAnswer[];

export function toScript(model: ScriptOrAnswers = []): ScriptedAnswers {
  return model instanceof ScriptedAnswers ? model : scriptAnswers(model);
}

/** What was asked as it was then; a schema cannot be copied, and does not change. */
function structuredCloneOf({ messages, tools, options }: AskedModel): AskedModel {
  return { messages: structuredClone(messages), tools: [...tools], options: { ...options } };
}
