import type { Json } from './json.ts';
import type { Purgeable } from './purge.ts';

export const taskStatuses = ['not_started', 'in_progress', 'complete', 'cancelled'] as const;
export type TaskStatus = (typeof taskStatuses)[number];

/** What is to be done. */
export interface Task {
  id: string;
  /** The number by which people and agents refer to it. */
  number: number;
  title: string;
  description: string;
  status: TaskStatus;
  /** From 1 to 10, the most urgent. */
  priority: number;
  /** A day: `2026-03-01`. */
  due: string | null;
  /** Numbers of the tasks that have to be done first. */
  dependsOn: number[];
  /** What was said when its status last changed. */
  note: string | null;
  person: string | null;
  projectId: string | null;
  /** Where it was created; null once that conversation has been deleted. */
  conversationId: string | null;
  /** How often it was begun. */
  attempts: number;
  /** Why the last attempt failed. */
  lastError: string | null;
  /** What an attempt left for the next one. */
  checkpoint: { data: Json; at: Date } | null;
  createdAt: Date;
  changedAt: Date;
}

export interface NewTask {
  /** Makes a retry create it only once. */
  id?: string | undefined;
  title: string;
  description?: string | undefined;
  /** 5 if absent. */
  priority?: number | undefined;
  due?: string | undefined;
  dependsOn?: number[] | undefined;
  person?: string | undefined;
  projectId?: string | undefined;
  conversationId?: string | undefined;
}

/** What of a task can be changed besides its status. */
export interface TaskChange {
  title?: string | undefined;
  description?: string | undefined;
  priority?: number | undefined;
  /** A day, or null for none. */
  due?: string | null | undefined;
  dependsOn?: number[] | undefined;
}

export interface TaskFilter {
  /** The open ones if absent. */
  status?: TaskStatus | 'open' | 'all' | undefined;
  person?: string | undefined;
  projectId?: string | undefined;
  conversationId?: string | undefined;
}

/** What is to be done, in an order. Numbers that no task has are refused with a `StoreError` (`UnknownTask`). */
export interface TaskStore extends Purgeable {
  /** @throws {StoreError} `TaskRefused` if it depends on a task that does not exist. */
  create(task: NewTask): Promise<Task>;
  get(number: number): Promise<Task>;
  /** Most urgent first, then by due day and number. */
  list(filter?: TaskFilter): Promise<Task[]>;
  /** @throws {StoreError} `TaskRefused` if it would depend on itself, directly or by others, or on a task that does not exist. */
  change(number: number, change: TaskChange): Promise<Task>;
  /**
   * To `in_progress` counts an attempt. Setting the status that it has changes only the note.
   * @throws {StoreError} `TaskRefused` if its status does not allow it (`nextStatuses`), or if tasks that it depends on have to be done first.
   */
  setStatus(number: number, status: TaskStatus, note?: string): Promise<Task>;
  /** The first task of the list that can begin now: not started, and all that it depends on is complete or cancelled. */
  next(filter?: Omit<TaskFilter, 'status'>): Promise<Task | undefined>;
  /** Begins that task; of callers at once, each gets another one. */
  claim(filter?: Omit<TaskFilter, 'status'>): Promise<Task | undefined>;
  /** Keeps what the next attempt needs; null removes it. */
  checkpoint(number: number, data: Json): Promise<Task>;
  /**
   * Ends an attempt that failed: the task can be begun again.
   * @throws {StoreError} `TaskRefused` if it is not in progress.
   */
  fail(number: number, error: string): Promise<Task>;
  /** Also from what depends on it; false if there was none. */
  delete(number: number): Promise<boolean>;
}
