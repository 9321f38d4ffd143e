import { z } from 'zod';
import { checkOptions, functionOption } from '../check-options.ts';
import { type Duration, durationSchema, milliseconds, timeoutSchema } from '../duration.ts';

/** What a step is given; `Results` says what the steps before it return, where a step's function declares it. */
export interface StepContext<State extends object, Results extends object = Record<string, unknown>> {
  /** May be changed; a failed attempt's changes are taken back. */
  state: State;
  /** Of the steps before it, by name. */
  results: Readonly<Results>;
  /** The number of this attempt, from 1. */
  attempt: number;
  /** To hand on to a service that accepts one: the same at each attempt, and for no other step. */
  idempotencyKey: string;
  /** Aborts when the run is cancelled, and at the step's own timeout. */
  signal: AbortSignal;
}

export interface StepOptions {
  description?: string;
  /** How often a failed attempt is repeated; 0 if absent. */
  retries?: number;
  /** Before the first retry; a second if absent. */
  retryDelay?: Duration;
  /** What each further delay is multiplied with; 2 if absent. */
  backoff?: number;
  /** The longest that one attempt may take. */
  timeout?: Duration;
  /** Whether its result is kept, so that it is skipped after a crash; true if absent. */
  checkpoint?: boolean;
}

/** A named unit of an agent's work. */
export interface Step<Name extends string = string, Result = unknown, State extends object = never> {
  readonly name: Name;
  readonly description: string;
  readonly run: (context: StepContext<State>) => Result | Promise<Result>;
  readonly retries: number;
  readonly retryDelayMs: number;
  readonly backoff: number;
  readonly timeoutMs: number | undefined;
  readonly checkpoint: boolean;
}

/** Steps that run side by side. */
export interface ParallelSteps<Steps extends readonly Step[] = readonly Step[]> {
  readonly parallel: Steps;
}

export type StepItem<_State extends object = never> = Step | ParallelSteps;

const stepSchema = z.strictObject({
  name: z.string().regex(/\S/, { error: 'expected a name' }),
  run: functionOption,
  description: z.string().optional(),
  retries: z.int().min(0).optional(),
  retryDelay: durationSchema.optional(),
  backoff: z.number().min(1).optional(),
  timeout: timeoutSchema.optional(),
  checkpoint: z.boolean().optional(),
});

/**
 * Defines a step.
 * @throws {AgentError} `InvalidDefinition`
 */
export function step<
  const Name extends string,
  Result,
  State extends object = Record<string, unknown>,
  Results extends object = Record<string, unknown>,
>(
  name: Name,
  run: (context: StepContext<State, Results>) => Result | Promise<Result>,
  options: StepOptions = {},
): Step<Name, Result> {
  checkOptions(`The step "${name}" cannot be defined`, stepSchema, { name, run, ...options });
  const { description = '', retries = 0, retryDelay = 1000, backoff = 2, timeout, checkpoint = true } = options;
  return {
    ...{ name, description, run: run as Step<Name, Result>['run'], retries, backoff, checkpoint },
    retryDelayMs: milliseconds(retryDelay),
    timeoutMs: timeout === undefined ? undefined : milliseconds(timeout),
  };
}

/** Steps to run side by side: each works on the state as it was before them, and no two may change the same property of it. */
export function parallel<const Steps extends readonly Step[]>(steps: Steps): ParallelSteps<Steps> {
  return { parallel: steps };
}

export interface StepsOptions<State extends object> {
  /** The state that the first step is given; empty if absent. Must be JSON. */
  initialState?: State;
  /** Whether finished steps are skipped after a crash or a retry; true if absent. */
  resume?: boolean;
}

type StepsOf<Item> = Item extends ParallelSteps<infer Steps> ? Steps[number] : Item;
type ResultOf<Item> = Item extends Step<string, infer Result> ? Awaited<Result> : never;

export interface StepsResult<Items extends readonly unknown[], State extends object> {
  /** By the steps' names. */
  results: { [One in StepsOf<Items[number]> as One extends Step<infer Name> ? Name : never]: ResultOf<One> };
  state: State;
}
