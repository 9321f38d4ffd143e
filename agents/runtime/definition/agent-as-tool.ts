import { z } from 'zod';
import { checkOptions, objectSchemaOption, schemaOption } from '../check-options.ts';
import { type Duration, milliseconds, timeoutSchema } from '../duration.ts';
import { type AgentTool, type GivenContext, toolNameSchema } from '../tools/define-tool.ts';

const messageParameters = z.object({
  message: z.string().min(1).describe('What it is to do, with all that it has to know.'),
});

/** What an agent that another one calls is given if nothing else is said. */
export type MessageParameters = typeof messageParameters;

export interface AgentToolOptions<Parameters extends z.ZodType = z.ZodType, Result extends z.ZodType = z.ZodType> {
  /** `ask_<key>` if absent, or `hand_off_to_<key>`. */
  name?: string;
  /** For the model: what the agent does and when to call it; the agent's own description if absent. */
  description?: string;
  /** What the agent is given: a message if absent. It reads it as JSON; a coded one also finds it as `context.params`. Must describe an object. */
  parameters?: Parameters;
  /** What its result has to be; any if absent. */
  output?: Result;
  /** What else of the caller's conversation it learns; `message`, nothing, if absent. */
  context?: GivenContext;
  /** The agent takes over: its result is the caller's, whose run ends with it. For declared agents. */
  handOff?: boolean;
  /** A person has to say yes to each call. */
  requiresConfirmation?: boolean;
  /** The longest that its run may take. */
  timeout?: Duration;
}

const optionsSchema = z.strictObject({
  name: toolNameSchema.optional(),
  description: z.string().optional(),
  parameters: objectSchemaOption.optional(),
  output: schemaOption.optional(),
  context: z.enum(['message', 'summary', 'full']).optional(),
  handOff: z.boolean().optional(),
  requiresConfirmation: z.boolean().optional(),
  timeout: timeoutSchema.optional(),
});

/** The tool by which other agents call an agent. */
export function agentAsTool<Parameters extends z.ZodType, Result extends z.ZodType>(
  agent: { readonly key: string; readonly description: string },
  options: AgentToolOptions<Parameters, Result> = {},
): AgentTool<Parameters, z.output<Result>> {
  checkOptions(`The tool of the agent "${agent.key}" cannot be defined`, optionsSchema, options);
  const { handOff = false, timeout } = options;
  const what = handOff ? 'hand_off_to' : 'ask';
  const name = options.name ?? `${what}_${agent.key.replaceAll('-', '_')}`;
  const does = handOff ? 'Hands the task over to' : 'Asks';
  const about = agent.description ? `: ${agent.description}` : '.';
  return {
    name,
    description: options.description ?? `${does} the agent ${agent.key}${about}`,
    parameters: (options.parameters ?? messageParameters) as Parameters, // the default where the type is its own
    on: 'run',
    calls: { agent, context: options.context ?? 'message', handsOff: handOff, output: options.output },
    hasSideEffects: handOff, // what its run does is recorded there, so that calls may go side by side
    requiresConfirmation: options.requiresConfirmation ?? false,
    timeoutMs: timeout === undefined ? undefined : milliseconds(timeout),
    retries: 0,
  };
}
