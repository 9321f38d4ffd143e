import { z } from 'zod';
import { agentRunLimitsSchema } from '../../../domain/agent-run/limits-schema.ts';
import type { AgentMessage, Artifacts, OwnUsage } from '../../../domain/agent-run/message.ts';
import type { AgentKind, AgentRunLimits } from '../../../domain/agent-run/run-request.ts';
import { areModelNames } from '../../../domain/model/model-name.ts';
import type { AgentContext } from '../agent-context.ts';
import { checkOptions, functionOption, objectSchemaOption } from '../check-options.ts';
import { type BuiltInTool, builtInTool, builtInTools } from '../tools/built-in-tools.ts';
import type { AgentTool } from '../tools/define-tool.ts';
import { createToolRegistry } from '../tools/tool-registry.ts';
import { type AgentToolOptions, agentAsTool, type MessageParameters } from './agent-as-tool.ts';

interface CommonOptions {
  /** Kebab-case, at most 40 characters: by it the agent is run. */
  key: string;
  /** What it is for, in a line. */
  description?: string;
  /** `provider/model`, or a list, tried in order; that of the role `agent` if absent. */
  model?: string | readonly string[];
  /** Its own tools, and names of Longhaul's, such as `run_command`, which work in the sandbox of the run. */
  tools?: ReadonlyArray<AgentTool | BuiltInTool>;
  /**
   * Agents that it may call, each by a tool `ask_<key>`; what `asTool` of an agent returns, to say more. They are hosted with it.
   */
  agents?: ReadonlyArray<Agent | AgentTool>;
  /** Tells versions of its code apart; by default a hash of the definition and of the functions' sources, without what these import. */
  version?: string;
}

/** An agent that Longhaul's loop runs: it calls tools until it answers. */
export interface DeclaredAgentOptions<Output extends z.ZodType> extends CommonOptions {
  instructions: string;
  limits?: Partial<AgentRunLimits>;
  /**
   * It has one tool, which runs a program in the sandbox in which its tools are functions, so that one turn may make many calls; each is permitted, kept
   * and not repeated like any other.
   */
  codeMode?: boolean;
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
  /** Unlimited where absent. */
  limits?: Partial<Omit<AgentRunLimits, 'toolCalls'>>;
  instructions?: never;
  codeMode?: never;
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
  readonly codeMode: boolean;
  readonly output: z.ZodType<Output> | undefined;
  readonly version: string | undefined;
  /** The agents that its tools call. */
  readonly agents: readonly Agent[];
  /**
   * A tool by which other agents call this one, as a run of its own: what it is given and returns is checked by schemas.
   * @throws {AgentError} `InvalidDefinition`
   */
  asTool<Parameters extends z.ZodType = MessageParameters, Result extends z.ZodType = z.ZodType<Output>>(
    options?: AgentToolOptions<Parameters, Result>,
  ): AgentTool<Parameters, z.output<Result>>;
  /** Absent if it is declared. */
  run?(context: AgentContext): Promise<AgentResult<Output>>;
}

const modelsExpected = 'expected models as "provider/model", or a list of them';

const commonSchema = z.strictObject({
  key: z.string().regex(/^(?=.{1,40}$)[a-z0-9]+(-[a-z0-9]+)*$/, {
    error: 'expected kebab-case of at most 40 characters, such as "code-reviewer"',
  }),
  description: z.string().optional(),
  model: z
    .union([z.string(), z.array(z.string())], { error: modelsExpected })
    .refine((models) => [models].flat().every(areModelNames), { error: modelsExpected })
    .optional(),
  tools: z
    .array(
      z.custom((one) => isTool(one) || builtInTools.some((name) => name === one), {
        error: `expected what defineTool returns, or one of ${builtInTools.join(', ')}`,
      }),
    )
    .optional(),
  agents: z
    .array(z.custom((one) => isAgent(one) || isTool(one), { error: 'expected what defineAgent or asTool returns' }))
    .optional(),
  version: z.string().min(1).optional(),
});

const instructionsExpected = 'expected a text, unless there is a function `run`';

const declaredSchema = commonSchema.extend({
  instructions: z.string({ error: instructionsExpected }).regex(/\S/, { error: instructionsExpected }),
  limits: agentRunLimitsSchema.optional(),
  codeMode: z.boolean().optional(),
  output: objectSchemaOption.optional(),
  run: z.undefined().optional(),
});

const notCoded = z.undefined({ error: 'expected only where there is no function `run`' }).optional();

const codedSchema = commonSchema.extend({
  run: functionOption,
  limits: agentRunLimitsSchema.omit({ toolCalls: true }).optional(),
  ...{ instructions: notCoded, codeMode: notCoded, output: notCoded },
});

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
  const { key, instructions = '', run } = options ?? {};
  const named = key === undefined ? 'An agent' : `The agent "${key}"`;
  checkOptions(`${named} cannot be defined`, run === undefined ? declaredSchema : codedSchema, options);
  const models = [options.model ?? []].flat();
  const called = (options.agents ?? []).map((one): AgentTool => ('asTool' in one ? one.asTool() : one));
  const own = (options.tools ?? []).map((one) => (typeof one === 'string' ? builtInTool(one) : one));
  const tools = [...own, ...called];
  createToolRegistry(tools); // no two of the same name
  const agent: Agent = {
    key,
    kind: run ? 'coded' : 'declared',
    description: options.description ?? '',
    instructions,
    model: models.length ? models.join(',') : undefined,
    tools,
    limits: options.limits ?? {},
    codeMode: options.codeMode ?? false,
    output: options.output,
    version: options.version,
    agents: tools.flatMap(({ calls }) => (calls ? [calls.agent as Agent] : [])), // only `asTool` makes such tools
    asTool: (toolOptions) => agentAsTool(agent, toolOptions),
    ...(run && { run }),
  };
  return agent;
}

function isTool(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'parameters' in value && 'on' in value;
}

/** Whether it is what `defineAgent` returned, of whichever copy of the library. */
export function isAgent(value: unknown): value is Agent {
  const isObject = typeof value === 'object' && value !== null;
  return isObject && 'key' in value && 'kind' in value && 'tools' in value && 'asTool' in value;
}
