import { StoreError } from '../store-error.ts';
import type { NewTask, Task, TaskChange, TaskFilter, TaskStatus } from '../tasks.ts';

/** The statuses that may follow each; what has ended is begun again only after it was reopened. */
export const nextStatuses: Record<TaskStatus, readonly TaskStatus[]> = {
  not_started: ['in_progress', 'complete', 'cancelled'],
  in_progress: ['complete', 'cancelled', 'not_started'],
  complete: ['not_started'],
  cancelled: ['not_started'],
};

/** The priority of a task for which none is given. */
export const defaultPriority = 5;

/** The largest number that a task can have. */
const largestNumber = 2_147_483_647;

type Standing = Pick<Task, 'number' | 'title' | 'status' | 'dependsOn'>;

export function isOpen({ status }: Pick<Task, 'status'>): boolean {
  return status === 'not_started' || status === 'in_progress';
}

/** @throws {StoreError} `TaskRefused` naming the statuses that may follow. */
export function expectTransition({ number, status }: Standing, next: TaskStatus): void {
  if (status === next || nextStatuses[status].includes(next)) return;
  const allowed = nextStatuses[status].join(', ');
  throw refused(`Task ${number} is ${status} and cannot become ${next}. It can become: ${allowed}.`);
}

/**
 * Before a task begins or is completed.
 * @throws {StoreError} `TaskRefused` naming the open tasks that it depends on.
 */
export function expectNothingFirst({ number }: Standing, dependencies: readonly Standing[]): void {
  const first = dependencies.filter(isOpen).map((one) => `${one.number} (${one.title}, ${one.status})`);
  if (first.length)
    throw refused(`Task ${number} depends on open tasks: ${first.join('; ')}. Complete or cancel them first.`);
}

/** @throws {StoreError} `TaskRefused` naming the numbers that no task has. */
export function expectAllFound(wanted: readonly number[], found: readonly Pick<Task, 'number'>[]): void {
  const missing = wanted.filter((number) => !found.some((one) => one.number === number));
  if (missing.length) throw refused(`There is no task ${missing.join(', ')} to depend on.`);
}

/**
 * `dependenciesOf` gives what the task with a number depends on.
 * @throws {StoreError} `TaskRefused` if a task would depend on itself, directly or by others.
 */
export function expectNoCycle(
  number: number,
  dependsOn: readonly number[],
  dependenciesOf: (number: number) => readonly number[],
): void {
  const seen = new Set<number>();
  const left = [...dependsOn];
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    if (one === number) throw refused(`Task ${number} cannot depend on itself, directly or by others.`);
    if (seen.has(one)) continue;
    seen.add(one);
    left.push(...dependenciesOf(one));
  }
}

/** The order of a list: most urgent first, then the earliest due day, then the oldest. */
export function compareTasks(left: Task, right: Task): number {
  if (left.priority !== right.priority) return right.priority - left.priority;
  const [due, other] = [left.due ?? '9999-99-99', right.due ?? '9999-99-99'];
  if (due !== other) return due < other ? -1 : 1;
  return left.number - right.number;
}

export function fitsFilter(task: Task, { status = 'open', person, projectId, conversationId }: TaskFilter): boolean {
  const fits = (wanted: string | undefined, own: string | null) => wanted === undefined || wanted === own;
  const isWanted = status === 'all' || (status === 'open' ? isOpen(task) : task.status === status);
  return (
    isWanted &&
    fits(person, task.person) &&
    fits(projectId, task.projectId) &&
    fits(conversationId, task.conversationId)
  );
}

/** @throws {StoreError} `InvalidInput` naming the first field that cannot be stored. */
export function expectTask({ title, priority, due }: TaskChange | NewTask): void {
  if (title !== undefined && (title.trim().length < 1 || title.length > 200))
    throw invalid(`a title of 1 to 200 characters, got ${title.length}`);
  if (priority !== undefined && !(Number.isInteger(priority) && priority >= 1 && priority <= 10))
    throw invalid(`a priority from 1 to 10 (10 is the most urgent), got ${priority}`);
  if (due !== undefined && due !== null && !isDay(due)) throw invalid(`a due day such as 2026-03-01, got "${due}"`);
}

function isDay(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** Whether a number can be a task's at all. */
export function isTaskNumber(number: number): boolean {
  return Number.isInteger(number) && number >= 1 && number <= largestNumber;
}

export function unknownTask(number: number): StoreError {
  return new StoreError('UnknownTask', `There is no task ${number}. The list of tasks shows their numbers.`);
}

export function refused(message: string): StoreError {
  return new StoreError('TaskRefused', message);
}

function invalid(what: string): StoreError {
  return new StoreError('InvalidInput', `Expected ${what}.`);
}
