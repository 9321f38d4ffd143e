import { copyJson, type Json, toJson } from '../json.ts';
import type { ExportedRow, Owner, PurgeSubject, Removed } from '../purge.ts';
import {
  compareTasks,
  defaultPriority,
  expectAllFound,
  expectNoCycle,
  expectNothingFirst,
  expectTask,
  expectTransition,
  fitsFilter,
  isOpen,
  refused,
  unknownTask,
} from '../rules/task-rules.ts';
import type { NewTask, Task, TaskChange, TaskFilter, TaskStatus, TaskStore } from '../tasks.ts';

type Narrowed = Omit<TaskFilter, 'status'>;

/** Keeps tasks as long as the process lives. Every method decides and writes without waiting in between, so none sees another's half. */
export class InMemoryTaskStore implements TaskStore {
  readonly #tasks = new Map<number, Task>();
  #last = 0;

  async create(task: NewTask): Promise<Task> {
    expectTask(task);
    const { id = `task-${crypto.randomUUID()}`, dependsOn = [], title, description = '' } = task;
    const known = [...this.#tasks.values()].find((one) => one.id === id);
    if (known) return copy(known);
    expectAllFound(dependsOn, [...this.#tasks.values()]);
    this.#last += 1;
    const { priority = defaultPriority, due = null, person = null, projectId = null, conversationId = null } = task;
    const now = new Date();
    return this.#keep({
      ...{ id, number: this.#last, title, description, status: 'not_started', priority, due },
      ...{ dependsOn: [...new Set(dependsOn)], note: null, person, projectId, conversationId },
      ...{ attempts: 0, lastError: null, checkpoint: null, createdAt: now, changedAt: now },
    });
  }

  async get(number: number): Promise<Task> {
    return copy(this.#find(number));
  }

  async list(filter: TaskFilter = {}): Promise<Task[]> {
    return this.#sorted(filter).map(copy);
  }

  async change(number: number, change: TaskChange): Promise<Task> {
    expectTask(change);
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    const task = this.#find(number);
    if (change.dependsOn) {
      expectAllFound(change.dependsOn, [...this.#tasks.values()]);
      expectNoCycle(number, change.dependsOn, (one) => this.#find(one).dependsOn);
    }
    return this.#keep({ ...task, ...given, changedAt: new Date() });
  }

  async setStatus(number: number, status: TaskStatus, note?: string): Promise<Task> {
    const task = this.#find(number);
    expectTransition(task, status);
    if (status !== task.status && (status === 'in_progress' || status === 'complete'))
      expectNothingFirst(task, this.#dependenciesOf(task));
    return this.#setStatus(task, status, note);
  }

  async next(filter: Narrowed = {}): Promise<Task | undefined> {
    const found = this.#runnable(filter);
    return found && copy(found);
  }

  async claim(filter: Narrowed = {}): Promise<Task | undefined> {
    const found = this.#runnable(filter);
    return found && this.#setStatus(found, 'in_progress');
  }

  async checkpoint(number: number, data: Json): Promise<Task> {
    toJson(data);
    const checkpoint = data === null ? null : { data: copyJson(data), at: new Date() };
    return this.#keep({ ...this.#find(number), checkpoint, changedAt: new Date() });
  }

  async fail(number: number, error: string): Promise<Task> {
    const task = this.#find(number);
    if (task.status !== 'in_progress') throw refused(`Task ${number} is ${task.status}, so no attempt can fail.`);
    return this.#keep({ ...task, status: 'not_started', lastError: error, changedAt: new Date() });
  }

  async delete(number: number): Promise<boolean> {
    for (const task of this.#tasks.values()) task.dependsOn = task.dependsOn.filter((one) => one !== number);
    return this.#tasks.delete(number);
  }

  async purge(subject: PurgeSubject, { dryRun = false } = {}): Promise<Removed[]> {
    const meant = [...this.#tasks.values()].filter((task) =>
      'before' in subject ? !isOpen(task) && task.changedAt < subject.before : isOwnedBy(task, subject),
    );
    for (const { number } of dryRun ? [] : meant) await this.delete(number);
    return meant.map(({ id, title }) => ({ store: 'tasks', kind: 'task', id, what: title }));
  }

  async *export(owner?: Owner): AsyncIterable<ExportedRow> {
    for (const task of this.#tasks.values())
      if (!owner || isOwnedBy(task, owner)) yield { store: 'tasks', kind: 'task', row: copy(task) };
  }

  #keep(task: Task): Task {
    this.#tasks.set(task.number, task);
    return copy(task);
  }

  #find(number: number): Task {
    const found = this.#tasks.get(number);
    if (!found) throw unknownTask(number);
    return found;
  }

  #sorted(filter: TaskFilter): Task[] {
    return [...this.#tasks.values()].filter((task) => fitsFilter(task, filter)).sort(compareTasks);
  }

  #runnable(filter: Narrowed): Task | undefined {
    return this.#sorted({ ...filter, status: 'not_started' }).find((task) => !this.#dependenciesOf(task).some(isOpen));
  }

  #dependenciesOf({ dependsOn }: Task): Task[] {
    return dependsOn.map((number) => this.#find(number));
  }

  #setStatus(task: Task, status: TaskStatus, note?: string): Task {
    const begins = status === 'in_progress' && task.status !== 'in_progress';
    const more = { ...(begins && { attempts: task.attempts + 1 }), ...(note !== undefined && { note }) };
    return this.#keep({ ...task, status, ...more, changedAt: new Date() });
  }
}

function isOwnedBy(task: Task, owner: Owner): boolean {
  const isOfSession = task.conversationId !== null && owner.sessions?.includes(task.conversationId) === true;
  return isOfSession || ('person' in owner ? task.person === owner.person : task.projectId === owner.project);
}

function copy(task: Task): Task {
  const { dependsOn, checkpoint } = task;
  return {
    ...task,
    dependsOn: [...dependsOn],
    checkpoint: checkpoint && { ...checkpoint, data: copyJson(checkpoint.data) },
  };
}
