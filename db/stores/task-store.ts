import { randomUUID } from 'node:crypto';
import { and, asc, eq, gt, inArray, lt, type SQL, sql } from 'drizzle-orm';
import { storableText } from '../../domain/storable-text.ts';
import { toJson } from '../../domain/stores/json.ts';
import type { PurgeSubject } from '../../domain/stores/purge.ts';
import { expectTask, refused } from '../../domain/stores/rules/task-rules.ts';
import type { Task, TaskFilter, TaskStore } from '../../domain/stores/tasks.ts';
import type { Database, Queryable, Transaction } from '../connection/database.ts';
import { tasks } from '../schema/chats.ts';
import {
  changeTask,
  createTask,
  findTask,
  inTasks,
  openStatuses,
  setTaskStatus,
  type TaskRow,
  taskOrder,
  updateTask,
} from '../tasks/tasks.ts';
import { ownedBy } from './owned-by.ts';
import { readInPages } from './read-in-pages.ts';

type Narrowed = Omit<TaskFilter, 'status'>;

/** The tasks that chats and `longhaul tasks` see too. */
export function createTaskStore(database: Database): TaskStore {
  return {
    async create({ id = `task-${randomUUID()}`, conversationId = null, ...task }) {
      expectTask(task);
      return toTask(await createTask(database, { id, chatId: conversationId, ...task }));
    },
    get: async (number) => toTask(await findTask(database, number)),
    async list(filter = {}) {
      const rows = await database
        .select()
        .from(tasks)
        .where(fits(filter))
        .orderBy(...taskOrder);
      return rows.map(toTask);
    },
    async change(number, change) {
      expectTask(change);
      return toTask(await changeTask(database, number, change));
    },
    setStatus: async (number, status, note) => toTask(await setTaskStatus(database, number, status, note)),
    next: async (filter = {}) => findRunnable(database, filter),
    claim: (filter = {}) =>
      inTasks(database, async (query) => {
        const found = await findRunnable(query, filter);
        if (!found) return undefined;
        return toTask(await updateTask(query, found.number, { status: 'in_progress', attempts: found.attempts + 1 }));
      }),
    async checkpoint(number, data) {
      const json = toJson(data);
      const isNone = data === null;
      return toTask(
        await updateTask(database, number, {
          checkpoint: isNone ? null : json,
          checkpointAt: isNone ? null : new Date(),
        }),
      );
    },
    fail: (number, error) =>
      inTasks(database, async (query) => {
        const { status } = await findTask(query, number);
        if (status !== 'in_progress') throw refused(`Task ${number} is ${status}, so no attempt can fail.`);
        return toTask(await updateTask(query, number, { status: 'not_started', lastError: storableText(error) }));
      }),
    delete: (number) =>
      inTasks(database, async (query) => (await deleteTasks(query, eq(tasks.number, number))).length > 0),
    purge: (subject, { dryRun = false } = {}) =>
      inTasks(database, async (query) => {
        const rows = dryRun
          ? await query.select().from(tasks).where(isMeant(subject))
          : await deleteTasks(query, isMeant(subject));
        return rows.map(({ id, title }) => ({ store: 'tasks', kind: 'task', id, what: title }));
      }),
    async *export(owner) {
      const rows = readInPages((after: number, limit) =>
        database
          .select()
          .from(tasks)
          .where(and(gt(tasks.number, after), owner && isMeant(owner)))
          .orderBy(asc(tasks.number))
          .limit(limit),
      );
      for await (const row of rows) yield { store: 'tasks', kind: 'task', row: toTask(row) };
    },
  };
}

async function findRunnable(query: Queryable, filter: Narrowed): Promise<Task | undefined> {
  const open = sql.join(
    openStatuses.map((status) => sql`${status}`),
    sql`, `,
  );
  const nothingFirst = sql`not exists (select from jsonb_array_elements_text(${tasks.dependsOn}) as needed(number)
    join ${tasks} as earlier on earlier.number = needed.number::int where earlier.status in (${open}))`;
  const [row] = await query
    .select()
    .from(tasks)
    .where(and(fits({ ...filter, status: 'not_started' }), nothingFirst))
    .orderBy(...taskOrder)
    .limit(1);
  return row && toTask(row);
}

/** Also from what depends on them. */
async function deleteTasks(query: Transaction, which: SQL | undefined): Promise<TaskRow[]> {
  const rows = await query.delete(tasks).where(which).returning();
  for (const { number } of rows) {
    const others = sql`(select coalesce(jsonb_agg(one), '[]') from jsonb_array_elements(${tasks.dependsOn}) one
      where one <> to_jsonb(${number}::int))`;
    await query.update(tasks).set({ dependsOn: others }).where(sql`${tasks.dependsOn} @> to_jsonb(${number}::int)`);
  }
  return rows;
}

function fits({ status = 'open', person, projectId, conversationId }: TaskFilter): SQL | undefined {
  const isWanted = inArray(tasks.status, status === 'open' ? openStatuses : [status as Task['status']]);
  return and(
    status === 'all' ? undefined : isWanted,
    person === undefined ? undefined : eq(tasks.person, person),
    projectId === undefined ? undefined : eq(tasks.projectId, projectId),
    conversationId === undefined ? undefined : eq(tasks.chatId, conversationId),
  );
}

function isMeant(subject: PurgeSubject): SQL | undefined {
  if (!('before' in subject)) return ownedBy({ ...tasks, conversationId: tasks.chatId }, subject);
  return and(inArray(tasks.status, ['complete', 'cancelled']), lt(tasks.changedAt, subject.before));
}

function toTask({ chatId: conversationId, checkpoint, checkpointAt, ...row }: TaskRow): Task {
  return {
    ...row,
    conversationId,
    checkpoint:
      checkpoint === null || checkpointAt === null ? null : { data: JSON.parse(checkpoint), at: checkpointAt },
  };
}
