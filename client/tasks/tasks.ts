import { randomUUID } from 'node:crypto';
import {
  changeTask,
  createTask,
  findTask,
  listTasks,
  type NewTask,
  setTaskStatus,
  type TaskChange,
} from '../../db/tasks/tasks.ts';
import type { TaskStatus } from '../../domain/project/statuses.ts';
import type { Task } from '../../domain/tasks/task.ts';
import type { DatabaseAccess } from '../connection/database-access.ts';

/** Tasks of people and of chats. Each method throws a `DatabaseError` (`TaskRefused`) for a number that no task has. */
export interface Tasks {
  /** Open tasks, or those with the given status, most urgent first. */
  list(options?: { status?: TaskStatus }): Promise<Task[]>;
  get(number: number): Promise<Task>;
  /**
   * Adds a task that belongs to no chat; every chat sees it.
   * @throws {DatabaseError} `TaskRefused` if it depends on a task that does not exist.
   */
  add(task: Omit<NewTask, 'id' | 'chatId'>): Promise<Task>;
  /** @throws {DatabaseError} `TaskRefused` if a task would depend on itself, directly or by others. */
  change(number: number, change: TaskChange): Promise<Task>;
  /** @throws {DatabaseError} `TaskRefused` if tasks that it depends on have to be done first. */
  setStatus(number: number, status: TaskStatus, note?: string): Promise<Task>;
}

export function createTasks({ use }: DatabaseAccess): Tasks {
  return {
    list: (options) => use((query) => listTasks(query, options)),
    get: (number) => use((query) => findTask(query, number)),
    add: (task) => use((query) => createTask(query, { ...task, id: `task-${randomUUID()}`, chatId: null })),
    change: (number, change) => use((query) => changeTask(query, number, change)),
    setStatus: (number, status, note) => use((query) => setTaskStatus(query, number, status, note)),
  };
}
