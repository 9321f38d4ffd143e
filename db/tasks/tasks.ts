import { and, asc, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import { storableText } from '../../domain/storable-text.ts';
import {
  defaultPriority,
  expectAllFound,
  expectNoCycle,
  expectNothingFirst,
  expectTransition,
  isTaskNumber,
  unknownTask,
} from '../../domain/stores/rules/task-rules.ts';
import type { TaskChange, TaskStatus } from '../../domain/stores/tasks.ts';
import type { Database, Queryable, Transaction } from '../connection/database.ts';
import { tasks } from '../schema/chats.ts';

export type TaskRow = typeof tasks.$inferSelect;

export interface NewTaskRow {
  /** Chosen by the caller, so that a retry creates it only once. */
  id: string;
  /** Null for a task of no chat. */
  chatId: string | null;
  title: string;
  description?: string | undefined;
  priority?: number | undefined;
  due?: string | undefined;
  dependsOn?: number[] | undefined;
  person?: string | undefined;
  projectId?: string | undefined;
}

export const openStatuses: TaskStatus[] = ['not_started', 'in_progress'];

/** Most urgent first, then by due day and number. */
export const taskOrder = [sql`${tasks.priority} desc`, sql`${tasks.due} asc nulls last`, asc(tasks.number)];

/** One transaction over the tasks; such transactions are serialized, since what one task may become depends on others. */
export function inTasks<Result>(database: Database, work: (query: Transaction) => Promise<Result>): Promise<Result> {
  return database.transaction(async (query) => {
    await query.execute(sql`select pg_advisory_xact_lock(hashtext('longhaul-tasks'))`);
    return work(query);
  });
}

/** @throws {StoreError} `TaskRefused` if it depends on a task that does not exist. */
export async function createTask(database: Database, task: NewTaskRow): Promise<TaskRow> {
  return inTasks(database, async (query) => {
    const { description = '', priority = defaultPriority, due = null, dependsOn = [] } = task;
    const [known] = await query.select().from(tasks).where(eq(tasks.id, task.id));
    if (known) return known;
    expectAllFound(dependsOn, await findTasks(query, dependsOn));
    const [row] = await query
      .insert(tasks)
      .values({
        ...task,
        title: storableText(task.title),
        description: storableText(description),
        priority,
        due,
        dependsOn: [...new Set(dependsOn)],
        status: 'not_started',
      })
      .returning();
    if (!row) throw new Error(`Postgres returned no row for the new task "${task.id}".`);
    return row;
  });
}

/**
 * Beginning a task counts an attempt.
 * @throws {StoreError} `UnknownTask`; `TaskRefused` if its status does not allow it, or if tasks that it depends on have to be done first.
 */
export async function setTaskStatus(
  database: Database,
  number: number,
  status: TaskStatus,
  note?: string,
): Promise<TaskRow> {
  return inTasks(database, async (query) => {
    const task = await findTask(query, number);
    expectTransition(task, status);
    const isChange = status !== task.status;
    if (isChange && (status === 'in_progress' || status === 'complete'))
      expectNothingFirst(task, await findTasks(query, task.dependsOn));
    return updateTask(query, number, {
      status,
      ...(isChange && status === 'in_progress' && { attempts: task.attempts + 1 }),
      ...(note !== undefined && { note: storableText(note) }),
    });
  });
}

/** @throws {StoreError} `UnknownTask`; `TaskRefused` if it would depend on a task that does not exist or that depends on it. */
export async function changeTask(database: Database, number: number, change: TaskChange): Promise<TaskRow> {
  return inTasks(database, async (query) => {
    await findTask(query, number);
    const { dependsOn } = change;
    if (dependsOn) {
      expectAllFound(dependsOn, await findTasks(query, dependsOn));
      const reached = await readReached(query, dependsOn);
      expectNoCycle(number, dependsOn, (one) => reached.get(one) ?? []);
    }
    return updateTask(query, number, change);
  });
}

/** What each task depends on that can be reached from these ones. */
async function readReached(query: Queryable, from: number[]): Promise<Map<number, number[]>> {
  const rows = await query.execute<{ number: number; depends_on: number[] }>(sql`
    with recursive reached(number, depends_on) as (
      select number, depends_on from ${tasks} where ${inArray(tasks.number, from)}
      union
      select task.number, task.depends_on from reached
      join ${tasks} task on reached.depends_on @> to_jsonb(task.number))
    select number, depends_on from reached`);
  return new Map([...rows].map((row) => [row.number, row.depends_on]));
}

/** Undefined fields stay as they are. */
export async function updateTask(
  query: Queryable,
  number: number,
  change: Partial<typeof tasks.$inferInsert> | TaskChange,
): Promise<TaskRow> {
  const [row] = await query
    .update(tasks)
    .set({ ...(change as Partial<typeof tasks.$inferInsert>), changedAt: new Date() })
    .where(eq(tasks.number, number))
    .returning();
  if (!row) throw unknownTask(number);
  return row;
}

/** @throws {StoreError} `UnknownTask` if there is none. */
export async function findTask(query: Queryable, number: number): Promise<TaskRow> {
  const [row] = await findTasks(query, [number]);
  if (row) return row;
  throw unknownTask(number);
}

/** Those of the numbers that exist. */
export async function findTasks(query: Queryable, numbers: readonly number[]): Promise<TaskRow[]> {
  const possible = numbers.filter(isTaskNumber);
  if (!possible.length) return [];
  return query.select().from(tasks).where(inArray(tasks.number, possible));
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
        inArray(tasks.status, status === undefined ? openStatuses : [status]),
        chatId === undefined ? undefined : or(eq(tasks.chatId, chatId), isNull(tasks.chatId)),
      ),
    )
    .orderBy(...taskOrder);
}
