import type { z } from 'zod';
import type { AgentMessage, Artifacts, OwnUsage } from '../../domain/agent-run/message.ts';
import type { AgentKind, AgentRunLimits } from '../../domain/agent-run/run-request.ts';
import { areModelNames } from '../../domain/model/model-name.ts';
import type { AgentContext } from './agent-context.ts';
import { AgentError } from './agent-error.ts';
import type { AgentTool } from './define-tool.ts';
import { createToolRegistry } from './tool-registry.ts';

interface CommonOptions {
  /** Kebab-case, at most 40 characters: by it the agent is run. */
  key: string;
  /** What it is for, in a line. */
  description?: string;
  /** `provider/model`, or a list, tried in order; that of the role `agent` if absent. */
  model?: string | readonly string[];
  tools?: readonly AgentTool[];
  /** Tells versions of its code apart; by default a hash of the definition and of the functions' sources, without what these import. */
  version?: string;
}

/** An agent that Longhaul's loop runs: it calls tools until it answers. */
export interface DeclaredAgentOptions<Output extends z.ZodType> extends CommonOptions {
  instructions: string;
  limits?: Partial<AgentRunLimits>;
  /** The form of its result, which it has to submit; without it the result is a text. Must describe an object. */
  output?: Output;
  run?: never;
}

/** What the function of a coded agent returns. */
export interface AgentResult<Output = unknown> {
  finalOutput: Output;
  /** The whole conversation, if it is worth keeping. */
  finalMessages?: AgentMessage[];
  /** Of model calls that the agent made by other means than its context. */
  usage?: OwnUsage;
  artifacts?: Artifacts;
}

/** An agent that is a function; any framework may be inside. */
export interface CodedAgentOptions<Params, State, Output> extends CommonOptions {
  run(context: AgentContext<Params, State>): Promise<AgentResult<Output>>;
  instructions?: never;
  limits?: never;
  output?: never;
}

/** An agent of a user's own; `Output` is the type of its results. */
export interface Agent<Output = unknown> {
  readonly key: string;
  readonly kind: AgentKind;
  readonly description: string;
  readonly instructions: string;
  /** Comma-separated models, tried in order. */
  readonly model: string | undefined;
  readonly tools: readonly AgentTool[];
  readonly limits: Partial<AgentRunLimits>;
  readonly output: z.ZodType<Output> | undefined;
  readonly version: string | undefined;
  /** Absent if it is declared. */
  run?(context: AgentContext): Promise<AgentResult<Output>>;
}

/**
 * Defines an agent: declared by its instructions, or coded as a function.
 * @throws {AgentError} `InvalidDefinition`, `DuplicateName`
 */
export function defineAgent<Output extends z.ZodType = z.ZodString>(
  options: DeclaredAgentOptions<Output>,
): Agent<z.output<Output>>;
export function defineAgent<Params = unknown, State = unknown, Output = unknown>(
  options: CodedAgentOptions<Params, State, Output>,
): Agent<Output>;
export function defineAgent(
  options: DeclaredAgentOptions<z.ZodType> | CodedAgentOptions<unknown, unknown, unknown>,
): Agent {
  const { key, tools = [], instructions = '', run } = options;
  const complain = (problem: string) => new AgentError('InvalidDefinition', `Agent "${key}": ${problem}`);
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(key) || key.length > 40) {
    throw complain('expected a key in kebab-case of at most 40 characters, such as "code-reviewer".');
  }
  if ((run === undefined) === !instructions.trim())
    throw complain('expected either `instructions` or a function `run`.');
  const models = [options.model ?? []].flat();
  const wrong = models.find((name) => !areModelNames(name));
  if (wrong !== undefined) throw complain(`expected models as "provider/model", got "${wrong}".`);
  createToolRegistry(tools); // no two of the same name
  return {
    key,
    kind: run ? 'coded' : 'declared',
    description: options.description ?? '',
    instructions,
    model: models.length ? models.join(',') : undefined,
    tools,
    limits: options.limits ?? {},
    output: options.output,
    version: options.version,
    ...(run && { run }),
  };
}
