import { z } from 'zod';

const transport = [
  /** Waits, then answers as scripted. */
  z.object({ kind: z.literal('delay'), milliseconds: z.number().nonnegative() }),
  /** Pauses before each piece of a stream. */
  z.object({ kind: z.literal('slow'), milliseconds: z.number().nonnegative() }),
  /** 429 with `Retry-After`. */
  z.object({ kind: z.literal('rate-limit'), retryAfterSeconds: z.number().nonnegative().default(1) }),
  /** An error status with an OpenAI-shaped body, e.g. 500, 503 or 401. */
  z.object({
    kind: z.literal('status'),
    status: z.int().min(400).max(599).default(500),
    message: z.string().default('The scripted model was told to fail.'),
    code: z.string().optional(),
    headers: z.record(z.string(), z.string()).default({}),
  }),
  /** Sends about half of the answer, then closes the connection. */
  z.object({ kind: z.literal('cut-stream') }),
  /** Resets the connection before any byte is sent. */
  z.object({ kind: z.literal('connection-reset') }),
  /** Never answers; the client has to give up. */
  z.object({ kind: z.literal('hang') }),
  /** Sends this text of an event stream again and again, as fast as it is read, until the client leaves. */
  z.object({ kind: z.literal('flood'), text: z.string().min(1) }),
] as const;

const content = [
  /** Calls the scripted tools with arguments that are not JSON. */
  z.object({ kind: z.literal('malformed-arguments') }),
  /** Calls the scripted tools with JSON that fits no tool. */
  z.object({ kind: z.literal('wrong-arguments') }),
  /** Neither text nor a call. */
  z.object({ kind: z.literal('empty-answer') }),
  /** Talks about the work and calls nothing. */
  z.object({ kind: z.literal('text-instead-of-call') }),
  /** Calls a tool that was not offered; `name` may even be one that no tool can have. */
  z.object({ kind: z.literal('unknown-tool'), name: z.string().default('summon_colleague') }),
  /** Gives the calls ids that only the server that issued them accepts. */
  z.object({ kind: z.literal('odd-ids') }),
  /** Nothing but white space. */
  z.object({ kind: z.literal('blank-answer') }),
  /** Thinks until the token limit and says nothing. */
  z.object({ kind: z.literal('thought-only') }),
  /** Breaks off within the arguments of the last call, at the token limit. */
  z.object({ kind: z.literal('cut-off-call') }),
  /** The answer is cut off by a filter behind the model. */
  z.object({ kind: z.literal('filtered') }),
  /** The same, within the arguments of the last call. */
  z.object({ kind: z.literal('filtered-call') }),
  /** Breaks off in mid-sentence, at the token limit. */
  z.object({ kind: z.literal('truncated') }),
  /** Refuses in words. */
  z.object({ kind: z.literal('refusal') }),
  /** Makes the scripted call many times in one answer, each with another number after its first text argument. */
  z.object({ kind: z.literal('many-calls'), count: z.int().positive().default(50) }),
  /** Makes the scripted call twice, both with the same id. */
  z.object({ kind: z.literal('duplicate-ids') }),
] as const;

/** A misbehaviour on the wire (the client retries the turn) or in the content (the conversation continues). */
export const misbehaviourSchema = z.discriminatedUnion('kind', [...transport, ...content]);
const contentSchema = z.discriminatedUnion('kind', content);

export type Misbehaviour = z.output<typeof misbehaviourSchema>;
export type MisbehaviourInput = z.input<typeof misbehaviourSchema>;
export type ContentMisbehaviour = z.output<typeof contentSchema>;

/** Which requests a misbehaviour applies to; an absent field matches any value. */
export const matchSchema = z.strictObject({
  project: z.string().optional(),
  run: z.string().optional(),
  role: z.string().optional(),
  feature: z.string().optional(),
  attempt: z.int().positive().optional(),
  turn: z.int().positive().optional(),
});

/** The body of `POST /control`. */
export const controlSchema = z.strictObject({
  match: matchSchema.default({}),
  misbehave: misbehaviourSchema,
  /** How many requests it applies to. */
  times: z.int().positive().default(1),
});

export type ControlInput = z.input<typeof controlSchema>;

/** True if the answer itself is wrong and so becomes part of the conversation. */
export function isContentMisbehaviour(misbehaviour: Misbehaviour): misbehaviour is ContentMisbehaviour {
  return contentSchema.safeParse(misbehaviour).success;
}
