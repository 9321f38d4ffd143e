import { z } from 'zod';
import { LonghaulError } from '../../../domain/longhaul-error.ts';
import { misbehaviourSchema } from '../misbehaviour/misbehaviour.ts';

const callSchema = z.strictObject({
  tool: z.string().min(1),
  arguments: z.record(z.string(), z.unknown()).default({}),
  /** The model's thinking between its previous text or call and this call. */
  reasoning: z.string().min(1).optional(),
});

const turnSchema = z
  .strictObject({
    text: z.string().min(1).optional(),
    /** The model's thinking before it answers; on protocols that carry reasoning it must come back with the next request. */
    reasoning: z.string().min(1).optional(),
    calls: z.array(callSchema).default([]),
    /** Texts that must all occur in the request's messages; otherwise the server refuses the request. */
    expect: z.array(z.string().min(1)).default([]),
    /** The request must ask for this turn's text by a schema that the text fits; otherwise the server refuses the request. */
    structured: z.boolean().default(false),
    /** How this turn goes wrong, `times` times, before its answer is given. */
    misbehave: misbehaviourSchema.and(z.object({ times: z.int().positive().default(1) })).optional(),
  })
  .refine((turn) => turn.text !== undefined || turn.calls.length > 0, {
    message: 'a turn needs `text` or `calls`',
  });

const entrySchema = z.strictObject({
  /** The agent that asks: initializer, planner, checks, code, testing, documentation, reviewer, research, or one of your own. */
  role: z.string().regex(/^[a-z][a-z0-9-]*$/, 'a role is a lower-case word'),
  /** The feature's name; if absent, matches any feature or none. */
  feature: z.string().min(1).optional(),
  /** For chats: matches if the latest message of a person contains this text; the entry's turns are counted from that message. */
  after: z.string().min(1).optional(),
  /** Counted from 1; if absent, matches any attempt. */
  attempt: z.int().positive().optional(),
  turns: z.array(turnSchema).min(1, 'an entry needs at least one turn'),
});

/** The answers of a scripted model. The most specific matching entry answers: the longest `after` wins, then a feature, then an attempt. */
export const scriptSchema = z
  .strictObject({
    /** The model's name in answers and in `GET /v1/models`. */
    model: z.string().min(1).default('scripted'),
    /** After a message with this text an entry restarts at its first turn, e.g. a message that the workspace was lost. */
    startAgainAfter: z.string().min(1).optional(),
    entries: z.array(entrySchema).min(1, 'a script needs at least one entry'),
  })
  .superRefine((script, context) => {
    const seen = new Map<string, number>();
    script.entries.forEach((entry, index) => {
      const name = describeEntry(entry);
      const first = seen.get(name);
      if (first !== undefined) {
        context.addIssue({
          code: 'custom',
          path: ['entries', index],
          message: `answers the same requests as entry ${first} (${name}): join them or set a feature or attempt`,
        });
      }
      seen.set(name, first ?? index);
    });
  });

export type Script = z.output<typeof scriptSchema>;
export type ScriptInput = z.input<typeof scriptSchema>;
export type ScriptEntry = Script['entries'][number];
export type ScriptTurn = ScriptEntry['turns'][number];

/** Thrown when a script cannot be used; its message has one line per complaint. */
export class ScriptError extends LonghaulError<'ScriptUnusable'> {
  constructor(message: string, options: ErrorOptions = {}) {
    super(message, { code: 'ScriptUnusable', kind: 'input', ...options });
  }
}

/**
 * Validates a script and fills in its defaults.
 * @throws {ScriptError} with every complaint and its place in the script.
 */
export function parseScript(input: unknown, origin = 'The script'): Script {
  const parsed = scriptSchema.safeParse(input);
  if (parsed.success) return parsed.data;
  const complaints = parsed.error.issues.map((issue) => `  ${describePath(issue.path)}: ${issue.message}`);
  throw new ScriptError(`${origin} cannot be used:\n${complaints.join('\n')}`, { cause: parsed.error });
}

/** An entry in words, e.g. `code, feature report, attempt 2`. */
export function describeEntry(entry: Pick<ScriptEntry, 'role' | 'feature' | 'attempt' | 'after'>): string {
  const feature = entry.feature === undefined ? 'any feature' : `feature ${entry.feature}`;
  const attempt = entry.attempt === undefined ? 'any attempt' : `attempt ${entry.attempt}`;
  const after = entry.after === undefined ? '' : `, after ${JSON.stringify(entry.after)}`;
  return `${entry.role}, ${feature}, ${attempt}${after}`;
}

function describePath(path: PropertyKey[]): string {
  return path.map((part) => (typeof part === 'number' ? `[${part}]` : String(part))).join('.') || 'top level';
}
