import { and, asc, desc, eq, inArray } from 'drizzle-orm';
import type { TaskStatus } from '../../domain/project/statuses.ts';
import { storableText } from '../../domain/storable-text.ts';
import type { Database, Queryable } from '../connection/database.ts';
import { DatabaseError } from '../database-error.ts';
import { tasks } from '../schema/chats.ts';

export type TaskRow = typeof tasks.$inferSelect;

export interface NewTask {
  /** Chosen by the caller, so that a retry creates it only once. */
  id: string;
  chatId: string;
  title: string;
  description: string;
  priority: number;
  due: string | undefined;
  dependsOn: number[];
}

const open: TaskStatus[] = ['todo', 'in_progress', 'blocked'];

/** @throws {DatabaseError} `TaskRefused` if it depends on a task that does not exist. */
export async function createTask(query: Queryable, task: NewTask): Promise<TaskRow> {
  const known = task.dependsOn.length
    ? await query.select().from(tasks).where(inArray(tasks.number, task.dependsOn))
    : [];
  const missing = task.dependsOn.filter((number) => known.every((one) => one.number !== number));
  if (missing.length) throw new DatabaseError('TaskRefused', `There is no task ${missing.join(', ')} to depend on.`);
  const [title, description] = [storableText(task.title), storableText(task.description)];
  await query
    .insert(tasks)
    .values({ ...task, title, description, due: task.due ?? null, status: 'todo' })
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
  throw new DatabaseError('TaskRefused', `There is no task ${number}. \`list_tasks\` shows all.`);
}

/** Open tasks, or those with the given status, most urgent first; of one chat or of all. */
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
        chatId === undefined ? undefined : eq(tasks.chatId, chatId),
      ),
    )
    .orderBy(desc(tasks.priority), asc(tasks.due), asc(tasks.number));
}
