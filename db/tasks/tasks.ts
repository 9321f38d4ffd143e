import { and, asc, desc, eq, inArray, isNull, or } from 'drizzle-orm';
import type { TaskStatus } from '../../domain/project/statuses.ts';
import { storableText } from '../../domain/storable-text.ts';
import type { Database, Queryable } from '../connection/database.ts';
import { DatabaseError } from '../database-error.ts';
import { tasks } from '../schema/chats.ts';

export type TaskRow = typeof tasks.$inferSelect;

export interface NewTask {
  /** Chosen by the caller, so that a retry creates it only once. */
  id: string;
  /** Null for a task of no chat. */
  chatId: string | null;
  title: string;
  description?: string | undefined;
  priority?: number | undefined;
  due?: string | undefined;
  dependsOn?: number[] | undefined;
}

/** What of a task can be changed beside its status. */
export interface TaskChange {
  /** A day, or null for none. */
  due?: string | null;
  dependsOn?: number[];
}

/** The priority of a task for which none is given. */
const defaultPriority = 5;

const open: TaskStatus[] = ['todo', 'in_progress', 'blocked'];

/** @throws {DatabaseError} `TaskRefused` if it depends on a task that does not exist. */
export async function createTask(query: Queryable, task: NewTask): Promise<TaskRow> {
  const { description = '', priority = defaultPriority, due = null, dependsOn = [] } = task;
  await expectTasks(query, dependsOn);
  await query
    .insert(tasks)
    .values({
      ...task,
      title: storableText(task.title),
      description: storableText(description),
      priority,
      due,
      dependsOn,
      status: 'todo',
    })
    .onConflictDoNothing();
  const [row] = await query.select().from(tasks).where(eq(tasks.id, task.id));
  if (!row) throw new Error(`Expected the task "${task.id}", which was just created.`);
  return row;
}

/** @throws {DatabaseError} `TaskRefused` if there is no such task, or if tasks that it depends on have to be done first. */
export async function setTaskStatus(
  database: Database,
  number: number,
  status: TaskStatus,
  note: string | undefined,
): Promise<TaskRow> {
  return database.transaction(async (query) => {
    const task = await findTask(query, number);
    if (status === 'in_progress' || status === 'done') await expectNothingFirst(query, task);
    const [row] = await query
      .update(tasks)
      .set({ status, changedAt: new Date(), ...(note !== undefined && { note: storableText(note) }) })
      .where(eq(tasks.number, number))
      .returning();
    return row ?? task;
  });
}

/** @throws {DatabaseError} `TaskRefused` if there is no such task, or if it would depend on one that does not exist or that depends on it. */
export async function changeTask(database: Database, number: number, change: TaskChange): Promise<TaskRow> {
  return database.transaction(async (query) => {
    await findTask(query, number);
    if (change.dependsOn) await expectNoCycle(query, number, change.dependsOn);
    const [row] = await query
      .update(tasks)
      .set({ ...change, changedAt: new Date() })
      .where(eq(tasks.number, number))
      .returning();
    return row ?? findTask(query, number);
  });
}

async function expectNoCycle(query: Queryable, number: number, dependsOn: number[]): Promise<void> {
  const seen = new Set<number>();
  let next = dependsOn;
  while (next.length > 0) {
    if (next.includes(number))
      throw new DatabaseError('TaskRefused', `Task ${number} cannot depend on itself, directly or by others.`);
    const found = await expectTasks(query, next);
    for (const one of next) seen.add(one);
    next = found.flatMap((one) => one.dependsOn).filter((one) => !seen.has(one));
  }
}

async function expectTasks(query: Queryable, numbers: number[]): Promise<TaskRow[]> {
  if (numbers.length === 0) return [];
  const found = await query.select().from(tasks).where(inArray(tasks.number, numbers));
  const missing = numbers.filter((number) => found.every((one) => one.number !== number));
  if (missing.length) throw new DatabaseError('TaskRefused', `There is no task ${missing.join(', ')} to depend on.`);
  return found;
}

async function expectNothingFirst(query: Queryable, { number, dependsOn }: TaskRow): Promise<void> {
  const first = dependsOn.length
    ? await query
        .select()
        .from(tasks)
        .where(and(inArray(tasks.number, dependsOn), inArray(tasks.status, open)))
    : [];
  if (!first.length) return;
  const named = first.map((one) => `${one.number} (${one.title}, ${one.status})`);
  throw new DatabaseError(
    'TaskRefused',
    `Task ${number} depends on open tasks: ${named.join('; ')}. Finish or cancel them first.`,
  );
}

/** @throws {DatabaseError} `TaskRefused` if there is none. */
export async function findTask(query: Queryable, number: number): Promise<TaskRow> {
  const [row] = await query.select().from(tasks).where(eq(tasks.number, number));
  if (row) return row;
  throw new DatabaseError('TaskRefused', `There is no task ${number}. The list of tasks shows their numbers.`);
}

/** Open tasks, or those with the given status, most urgent first; all, or those of one chat and of none. */
export async function listTasks(
  query: Queryable,
  { chatId, status }: { chatId?: string; status?: TaskStatus } = {},
): Promise<TaskRow[]> {
  return query
    .select()
    .from(tasks)
    .where(
      and(
        inArray(tasks.status, status === undefined ? open : [status]),
        chatId === undefined ? undefined : or(eq(tasks.chatId, chatId), isNull(tasks.chatId)),
      ),
    )
    .orderBy(desc(tasks.priority), asc(tasks.due), asc(tasks.number));
}
