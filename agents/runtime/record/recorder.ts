import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { AgentError } from '../agent-error.ts';
import type { Attached, Operation, RunStore } from './run-store.ts';

export interface Asked {
  kind: string;
  name: string;
  /** What tells this operation apart from others of its name: any JSON. */
  request?: unknown;
  /** Not to be begun twice. */
  once?: boolean;
  /** How it ends is also recorded elsewhere, so that asking again after a failure is another time. */
  elsewhere?: boolean;
  /** What has to happen before it begins, such as a person's yes; what it throws is not recorded. */
  before?(key: string): Promise<void>;
}

/** The result of work, with what is stored beside it. */
export interface Performed<Result> extends Attached {
  result: Result;
}

/** Does each operation of a run once. */
export interface Recorder {
  /**
   * Returns what the operation returned before, or does the work and records it. `key` is the same at each attempt.
   * @throws {AgentError} `CallCutOff` if it is to be begun only once and its end is unknown.
   */
  perform<Result>(asked: Asked, work: (key: string) => Promise<Performed<Result>>): Promise<Result>;
  /** A recorder for work within this one, such as a step. */
  within(name: string): Recorder;
  /** Forgets what was recorded: a checkpoint was made. */
  next(): void;
}

export interface RecorderOptions {
  runId: string;
  store: RunStore;
  /** The number of the last checkpoint; 0 if there was none. */
  checkpoint: number;
  /** What earlier attempts did. */
  operations: Operation[];
}

export function createRecorder({ runId, store, checkpoint, operations }: RecorderOptions): Recorder {
  const known = new Map(operations.map((one) => [`${one.scope} ${one.key}`, one]));
  /** Which times each operation was asked for in this attempt, from 1. */
  const asked = new Map<string, Set<number>>();
  let epoch = checkpoint;

  function at(path: string): Recorder {
    return {
      async perform({ kind, name, request, once = false, elsewhere = false, before }, work) {
        const scope = `${epoch}${path}`;
        const what = `${kind}:${name}:${hashOf(request)}`;
        const times = asked.get(`${scope} ${what}`) ?? new Set();
        asked.set(`${scope} ${what}`, times);
        const time = firstFree(times);
        times.add(time);
        const operation = { kind, name, scope, key: `${what}:${time}` };
        const earlier = known.get(`${scope} ${operation.key}`);
        if (earlier?.finished) return earlier.result as never; // recorded for the same question
        if (earlier && once) {
          throw new AgentError(
            'CallCutOff',
            `An earlier attempt began the call of "${name}" and has no result: nobody knows whether it took effect, so it is not made again. Find out, then decide.`,
          );
        }
        const id = `${runId}/${scope}/${operation.key}`;
        await before?.(id);
        if (once) await store.begin(operation);
        try {
          const { result, ...attached } = await work(id);
          return (await store.finish({ ...operation, result: result ?? null }, attached)) as never;
        } catch (error) {
          if (!once && !elsewhere) times.delete(time); // nothing is recorded, so that asking again is this time again, as it will be after a crash
          throw error;
        }
      },
      within: (name) => at(`${path}/${name}`),
      next() {
        epoch += 1;
      },
    };
  }

  return at('');
}

function firstFree(times: ReadonlySet<number>): number {
  let time = 1;
  while (times.has(time)) time += 1;
  return time;
}

/** The same for the same JSON, whatever the order of its properties. */
export function hashOf(request: unknown): string {
  const json = canonicalize(JSON.parse(JSON.stringify(request ?? null))) ?? '';
  return createHash('sha256').update(json).digest('hex').slice(0, 24);
}
