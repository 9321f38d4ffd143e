import { z } from 'zod';
import { messageSchema } from '../../agent-run/message-schema.ts';
import { describeMisfit } from '../../describe-issue.ts';
import { errorSeverities } from '../audit.ts';
import { factTypes } from '../knowledge.ts';
import type { StoreName } from '../purge.ts';
import { StoreError } from '../store-error.ts';
import type { StoreSet } from '../stores.ts';
import { taskStatuses } from '../tasks.ts';

/** What a method takes, by its parameters' names in their order; `...name` takes all that are left. */
export type MethodInputs = Readonly<Record<string, z.ZodType>>;

const text = z.string();
const id = z.string().min(1, { error: 'expected an id' });
/** What a value is, `toJson` checks. */
const json = z.unknown().optional();
const limit = z.int().min(0).optional();
const scope = z.union([z.literal('global'), z.strictObject({ project: id }), z.strictObject({ session: id })], {
  error: 'expected "global", { project } or { session }, with an id',
});
const owner = z.union([z.literal('everyone'), z.strictObject({ person: id }), z.strictObject({ project: id })], {
  error: 'expected "everyone", { person } or { project }, with an id',
});
const sessions = z.array(z.string()).optional();
const rowsOwner = [z.strictObject({ person: id, sessions }), z.strictObject({ project: id, sessions })] as const;

/** Whose rows an export is about: all if absent. */
export const exportOwner = z.union(rowsOwner, { error: 'expected { person } or { project }, with an id' }).optional();

/** What a purge removes; one that names nobody would mean everybody. */
export const purgeSubject = z.union([...rowsOwner, z.strictObject({ before: z.date() })], {
  error: 'expected { person }, { project } or { before: a date }',
});

const ofAll = {
  purge: { subject: purgeSubject, options: z.strictObject({ dryRun: z.boolean().optional() }).optional() },
  export: { owner: exportOwner },
};

const fact = {
  text,
  confidence: z.number().optional(),
  tags: z.array(text).optional(),
  expiresAt: z.date().optional(),
};
const source = z
  .object({ id: text.optional(), run: text.optional(), message: z.int().optional(), commit: text.optional() })
  .optional();
const knowledge = { id: id.optional(), person: text.optional(), createdAt: z.date().optional(), source };
const reader = z.strictObject({ project: text.optional(), session: text.optional() }).optional();
const facts = z
  .strictObject({
    ...{ reader, limit, types: z.array(z.enum(factTypes)).optional(), person: text.optional() },
    ...{ tags: z.array(text).optional(), minConfidence: z.number().optional() },
  })
  .optional();

const concerns = {
  person: text.optional(),
  projectId: text.optional(),
  conversationId: text.optional(),
  runId: text.optional(),
};
const row = { ...concerns, id: id.optional(), createdAt: z.date().optional() };
const rows = { ...concerns, after: z.date().optional(), before: z.date().optional() };
const labels = z.record(text, text).optional();

const task = { description: text.optional(), priority: z.number().optional(), dependsOn: z.array(z.int()).optional() };
const tasks = { person: text.optional(), projectId: text.optional(), conversationId: text.optional() };
/** Which numbers there are, the store knows. */
const number = z.number();

const message = z.object({
  ...messageSchema.omit({ content: true }).shape,
  ...{ id: id.optional(), text, failed: z.boolean().optional() },
});
const conversation = {
  id: text.optional(),
  name: text.optional(),
  person: text.optional(),
  projectId: text.optional(),
};

/**
 * What each method of each store takes, so that every implementation is given only that. Rows may have further fields; filters may not, since one that
 * is misspelled would let everything through.
 */
export const storeInputs: { [Name in StoreName]: { [Method in keyof StoreSet[Name]]: MethodInputs } } = {
  memory: {
    get: { scope, key: text },
    set: { scope, key: text, value: json },
    compareAndSet: { scope, key: text, expected: text.nullable(), value: json },
    delete: { scope, key: text },
    list: { scope, page: z.strictObject({ limit, prefix: text.optional(), after: text.optional() }).optional() },
    clear: { scope, options: z.strictObject({ prefix: text.optional() }).optional() },
    ...ofAll,
  },
  conversations: {
    create: { conversation: z.object(conversation).optional() },
    get: { id: text },
    list: {
      filter: z
        .strictObject({ limit, person: text.optional(), projectId: text.optional(), before: z.date().optional() })
        .optional(),
    },
    rename: { id: text, name: text },
    delete: { id: text },
    append: { id: text, '...messages': message },
    messages: {
      id: text,
      page: z
        .strictObject({ limit, before: number.optional(), after: number.optional(), branch: text.optional() })
        .optional(),
    },
    branches: { id: text },
    branch: { id: text, after: number },
    edit: { id: text, number, text },
    regenerate: { id: text, number },
    fork: { id: text, fork: z.object({ ...conversation, after: number.optional() }).optional() },
    ...ofAll,
  },
  tasks: {
    create: { task: z.object({ ...task, ...tasks, id: id.optional(), title: text, due: text.optional() }) },
    get: { number },
    list: {
      filter: z.strictObject({ ...tasks, status: z.enum([...taskStatuses, 'open', 'all']).optional() }).optional(),
    },
    change: { number, change: z.object({ ...task, title: text.optional(), due: text.nullish() }) },
    setStatus: { number, status: z.enum(taskStatuses), note: text.optional() },
    next: { filter: z.strictObject(tasks).optional() },
    claim: { filter: z.strictObject(tasks).optional() },
    checkpoint: { number, data: json },
    fail: { number, error: text },
    delete: { number },
    ...ofAll,
  },
  preferences: {
    get: { owner, key: text },
    set: { owner, key: text, value: json },
    delete: { owner, key: text },
    all: { owner },
    resolve: { of: z.strictObject({ person: text.optional(), project: text.optional() }) },
    ...ofAll,
  },
  knowledge: {
    addFact: {
      fact: z.object({ ...fact, ...knowledge, type: z.enum(factTypes), scope: scope.optional() }),
    },
    getFact: { id: text },
    facts: { filter: facts },
    changeFact: { id: text, change: z.object({ ...fact, text: text.optional() }) },
    supersede: { id: text, by: text },
    forget: { id: text },
    search: { question: text, filter: facts },
    addSummary: { summary: z.object({ ...knowledge, text, scope }) },
    summaries: { filter: z.strictObject({ reader, limit, person: text.optional() }).optional() },
    ...ofAll,
  },
  audit: {
    record: { entry: z.object({ ...row, actor: text, action: text, subject: text.optional(), details: json }) },
    entries: {
      filter: z
        .strictObject({ ...rows, limit, actor: text.optional(), action: text.optional(), subject: text.optional() })
        .optional(),
    },
    recordError: {
      error: z.object({
        ...row,
        ...{ severity: z.enum(errorSeverities), type: text, message: text, stack: text.optional(), details: json },
      }),
    },
    errors: {
      filter: z
        .strictObject({
          ...{ ...rows, limit, severity: z.enum(errorSeverities).optional() },
          ...{ type: text.optional(), open: z.boolean().optional() },
        })
        .optional(),
    },
    resolveError: { id: text, how: text, by: text.optional() },
    measure: {
      '...metrics': z.object({ ...row, name: text, value: z.unknown().optional(), unit: text.optional(), labels }),
    },
    summarize: { name: text, filter: z.strictObject({ ...rows, labels }).optional() },
    ...ofAll,
  },
};

/** What checks a method's parameters; its schema is made at the first call. */
export function createInputCheck<Name extends StoreName>(
  store: Name,
  method: keyof StoreSet[Name] & string,
): (given: readonly unknown[]) => void {
  const inputs = Object.entries(storeInputs[store][method]);
  const takesRest = (name: string) => name.startsWith('...');
  let schema: z.ZodType | undefined;
  return (given) => {
    schema ??= z.object(Object.fromEntries(inputs.map(([name, one]) => [name, takesRest(name) ? z.array(one) : one])));
    const named = inputs.map(([name], index) => [name, takesRest(name) ? given.slice(index) : given[index]]);
    checkInput(`${store}.${method}`, schema, Object.fromEntries(named));
  };
}

/** @throws {StoreError} `InvalidInput` with a line for each wrong field. */
export function checkInput(what: string, schema: z.ZodType, given: unknown): void {
  const misfit = describeMisfit(schema, given);
  if (misfit !== undefined) throw new StoreError('InvalidInput', `${what} cannot take this:\n${misfit}`);
}
