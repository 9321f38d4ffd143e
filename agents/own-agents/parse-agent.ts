import { z } from 'zod';
import { describeIssue } from '../../domain/describe-issue.ts';
import { LonghaulError } from '../../domain/longhaul-error.ts';
import { areModelNames } from '../../domain/model/model-name.ts';
import { readFrontMatter } from '../front-matter.ts';

/** The file in an agent's folder that defines it. */
export const agentFile = 'agent.md';

/** Selects the built-in assistant where an agent can be named; `longhaul agents create` refuses it as a name. */
export const assistantName = 'default';

const isModelNames = (value: unknown) => typeof value === 'string' && areModelNames(value);
const limit = z.int().min(1).optional();

const frontMatterSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, { error: 'expected kebab-case, such as "code-reviewer"' })
    .max(40),
  description: z.string().trim().optional(),
  model: z
    .custom<string | string[]>((value) => [value].flat().length > 0 && [value].flat().every(isModelNames), {
      error: 'expected "provider/model", or a list of such names',
    })
    .optional(),
  tools: z.array(z.string().min(1)).optional(),
  limits: z
    .strictObject({ modelCalls: limit, toolCalls: z.int().min(0).optional(), tokens: z.int().min(1000).optional() })
    .optional(),
});

/** A user-defined agent, as its file describes it. */
export interface OwnAgent {
  name: string;
  description?: string | undefined;
  /** Comma-separated, tried in order. */
  model?: string | undefined;
  /** All tools of a chat if absent. */
  tools?: string[] | undefined;
  limits: { modelCalls?: number; toolCalls?: number; tokens?: number };
  instructions: string;
}

/** Thrown when an agent's file cannot be used; the message has one line per complaint. */
export class AgentFileError extends LonghaulError<'AgentFileUnusable'> {
  constructor(message: string) {
    super(message, { code: 'AgentFileUnusable', kind: 'input' });
  }
}

/**
 * Reads the text of an `agent.md`: front matter in YAML, then the instructions.
 * @throws {AgentFileError} naming each invalid setting, what was expected and what came.
 */
export function parseAgent(text: string, path: string): OwnAgent {
  const read = readFrontMatter(text);
  if (!read) {
    throw new AgentFileError(
      `Expected ${path} to start with front matter between two lines "---", then the instructions. \`longhaul agents create\` writes such a file.`,
    );
  }
  if ('complaint' in read)
    throw new AgentFileError(`Expected YAML between the lines "---" of ${path}: ${read.complaint}`);
  const { values: given, body: instructions } = read;
  const parsed = frontMatterSchema.safeParse(given);
  const complaints = parsed.success ? [] : parsed.error.issues.map((issue) => `  ${describeIssue(issue, given)}`);
  if (!instructions) complaints.push('  the instructions: expected a text after the front matter, got none');
  if (!parsed.success || complaints.length) {
    throw new AgentFileError(`${path} is invalid. Correct it and try again.\n${complaints.join('\n')}`);
  }
  const { name, description, model, tools, limits = {} } = parsed.data;
  const set = Object.entries(limits).filter((entry): entry is [string, number] => entry[1] !== undefined);
  return {
    name,
    description,
    model: model === undefined ? undefined : [model].flat().join(', '),
    tools,
    limits: Object.fromEntries(set),
    instructions,
  };
}
