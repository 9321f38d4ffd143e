import type { TaskStatus } from '../project/statuses.ts';

/** What is to be done, noted by a person or in a chat. */
export interface Task {
  id: string;
  /** The number by which it is referred to. */
  number: number;
  /** The chat in which it was noted; null if it was in none, or that chat was deleted. */
  chatId: string | null;
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
  createdAt: Date;
  changedAt: Date;
}
