import { randomUUID } from 'node:crypto';
import { within } from '../../agents/runtime/tools/run-tool.ts';
import { readAgentRun } from '../../db/agent-runs/agent-runs.ts';
import { findVersion } from '../../db/agent-runs/hosted-agents.ts';
import {
  claimOutsideCalls,
  endOutsideCall,
  markMaking,
  type OutsideCallRow,
} from '../../db/agent-runs/outside-calls.ts';
import { hasEnded } from '../../domain/agent-run/status.ts';
import type { DatabaseAccess } from '../connection/database-access.ts';
import type { TemporalAccess } from '../connection/temporal-access.ts';
import { ClientError, isClosed } from '../errors.ts';
import { poll } from '../events/poll.ts';
import type { ProvidedTools, Providing } from './run-handle.ts';
import { wakeRun } from './wake-run.ts';

/** Milliseconds between two signs that this client is there. */
const signPause = 5_000;

/** Makes the calls of a run that are for its client, until the run has ended or the client leaves. @throws {ClientError} `InvalidInput` */
export function provideTools(
  { database, temporal }: { database: DatabaseAccess; temporal: TemporalAccess },
  runId: string,
  tools: ProvidedTools,
): Providing {
  const wrong = Object.entries(tools).find(([, run]) => typeof run !== 'function');
  if (wrong) throw new ClientError('InvalidInput', `${wrong[0]}: expected a function, got ${typeof wrong[1]}.`);
  const names = Object.keys(tools);
  if (!names.length) throw new ClientError('InvalidInput', 'Expected at least one tool, got none.');
  const client = randomUUID();
  const leaving = new AbortController();
  /** Aborts when the run has ended, so that nobody waits for a result. */
  const over = new AbortController();
  const making = new Map<string, Promise<void>>();

  async function take(): Promise<{ calls: OutsideCallRow[]; hasEnded: boolean } | undefined> {
    return database.use(async (query) => {
      const claim = { runId, client, tools: names, making: [...making.keys()] };
      const { calls, cutOff } = await claimOutsideCalls(query, claim);
      if (cutOff > 0) await wakeRun(temporal, runId);
      if (calls.length) return { calls, hasEnded: false };
      return hasEnded((await readAgentRun(query, runId)).status) ? { calls, hasEnded: true } : undefined;
    });
  }

  async function make({ id, tool, input, timeoutMs }: OutsideCallRow): Promise<void> {
    const work = (signal: AbortSignal) => tools[tool]?.(input as never, { callId: id, idempotencyKey: id, signal });
    let ended: { result: unknown; failed: boolean };
    try {
      const result = await within(timeoutMs ?? undefined, over.signal, `The tool "${tool}"`, async (signal) =>
        work(signal),
      );
      ended = { result: asJson(result, tool), failed: false };
    } catch (error) {
      ended = { result: error instanceof Error ? error.message : String(error), failed: true };
    }
    if (over.signal.aborted) return;
    const store = () => database.use((query) => endOutsideCall(query, { runId, id, ...ended }));
    await poll(async () => {
      await store();
      return true;
    });
    await wakeRun(temporal, runId);
  }

  /** @throws {ClientError} `InvalidInput` if the agent has no such tool for a client. */
  async function expectDeclared(): Promise<void> {
    const declared = await poll(
      () =>
        database.use(async (query) => {
          const { agent: key, version } = await readAgentRun(query, runId);
          const tools = (await findVersion(query, { key, version }))?.declaration.tools ?? [];
          return tools.filter(({ on }) => on === 'client').map(({ name }) => name);
        }),
      { signal: leaving.signal },
    );
    const unknown = declared && names.find((name) => !declared.includes(name));
    if (unknown === undefined) return;
    const there = declared?.join(', ') || 'none';
    throw new ClientError(
      'InvalidInput',
      `Expected tools that the agent has with \`on: 'client'\` (${there}), got "${unknown}".`,
    );
  }

  async function serve(): Promise<void> {
    const signs = setInterval(() => {
      const ids = [...making.keys()];
      if (ids.length) database.use((query) => markMaking(query, { runId, client, ids })).catch(() => {}); // the next sign says the same
    }, signPause);
    let failure: { reason: unknown } | undefined;
    try {
      await expectDeclared();
      while (!leaving.signal.aborted) {
        const taken = await poll(take, { signal: leaving.signal });
        if (!taken) break;
        if (taken.hasEnded) over.abort(new Error('The run has ended.'));
        if (taken.hasEnded) break;
        for (const call of taken.calls) {
          making.set(
            call.id,
            make(call)
              .catch((reason: unknown) => {
                failure ??= { reason };
                leaving.abort();
              })
              .finally(() => making.delete(call.id)),
          );
        }
      }
      await Promise.all(making.values());
      if (failure) throw failure.reason;
    } catch (error) {
      if (!isClosed(error)) throw error; // whoever closed the connection leaves
    } finally {
      clearInterval(signs);
    }
  }

  const ended = serve();
  ended.catch(() => {}); // told to those who wait for it
  return {
    ended,
    async leave() {
      leaving.abort();
      await ended;
    },
  };
}

/** What is stored of a result. @throws {TypeError} if it is not JSON. */
function asJson(result: unknown, tool: string): unknown {
  try {
    return JSON.parse(JSON.stringify(result) ?? 'null');
  } catch (error) {
    throw new TypeError(`Expected the tool "${tool}" to return JSON: ${(error as Error).message}`);
  }
}
