import { isDeepStrictEqual } from 'node:util';
import type { AgentContext } from '../../../agents/runtime/agent-context.ts';
import { createAgentContext } from '../../../agents/runtime/create-agent-context.ts';
import type { Agent } from '../../../agents/runtime/definition/define-agent.ts';
import type { RunStore } from '../../../agents/runtime/record/run-store.ts';
import type { RunRecord } from '../../../domain/agent-run/run-record.ts';
import { firstDifference } from '../../cassette/first-difference.ts';
import { AgentTestError } from '../agent-test-error.ts';
import { runDeclaredLoop, startOfLoop } from '../declared-loop.ts';
import { MemoryRunStore } from '../memory-run-store.ts';
import { readRecords } from './read-records.ts';
import { replayConversation } from './replay-conversation.ts';
import { replayOperations } from './replay-operations.ts';
import { type ReplayChange, ReplayEnd, type ReplaySource } from './replay-source.ts';

export interface ReplayOptions {
  /** Whether steps that finished return what they returned, which is the default, or their code runs again. Their effects are then made. */
  steps?: 'skip' | 'run';
}

export interface Replay {
  /** How many runs were played. */
  runs: number;
  /** What the agents do otherwise than when these runs were recorded; empty if nothing. */
  changes: ReplayChange[];
}

/**
 * Plays the recorded runs of a folder again with the agents as they are now. No model is asked and no tool runs: both give what they gave then.
 * @throws {AgentTestError} `RecordUnusable` if the folder has no record, a bad one, or one of an agent that is not given.
 */
export async function replayRuns(
  folder: string,
  agents: Agent<never> | Agent | ReadonlyArray<Agent<never> | Agent>,
  { steps = 'skip' }: ReplayOptions = {},
): Promise<Replay> {
  const given = [agents].flat() as Agent[];
  const records = await readRecords(folder);
  const changes: ReplayChange[] = [];
  for (const record of records) {
    const agent = given.find(({ key }) => key === record.agent);
    if (!agent) {
      throw new AgentTestError(
        'RecordUnusable',
        `Expected the agent "${record.agent}" of the recorded run ${record.runId}, got only: ${given.map(({ key }) => key).join(', ') || 'none'}.`,
      );
    }
    changes.push(...(await replayRun(record, agent, steps)));
  }
  return { runs: records.length, changes };
}

/** @throws {AgentTestError} `ExpectationFailed` naming each change by its run and turn. */
export function expectUnchanged({ changes, runs }: Replay): void {
  if (!changes.length) return;
  const told = changes.map(({ run, turn, what }) => `\n  ${run}, turn ${turn}: ${what}`).join('');
  throw new AgentTestError('ExpectationFailed', `Expected ${runs} recorded runs to go as they went, but:${told}`);
}

async function replayRun(record: RunRecord, agent: Agent, steps: 'skip' | 'run'): Promise<ReplayChange[]> {
  const source =
    record.kind === 'declared' ? replayConversation(record) : replayOperations(record, { stepsRun: steps === 'run' });
  const kept = steps === 'run' ? ['once'] : ['once', 'step'];
  const { runId: id, input, params, metadata } = record;
  const context = createAgentContext({
    run: {
      ...{ id, input, params, metadata, attempt: 1, checkpoint: 0, state: undefined },
      operations: record.operations
        .filter(({ kind }) => record.kind === 'coded' && kept.includes(kind))
        .map((operation) => ({ ...operation, finished: true })),
    },
    tools: agent.tools.map((tool) =>
      tool.run ? { ...tool, run: (given, { callId }) => source.resultOfTool(tool.name, given, callId) } : tool,
    ),
    signal: new AbortController().signal,
    isCancelled: () => false,
    store: steps === 'run' ? new MemoryRunStore() : refuseSteps(source),
    ask: source.ask,
  });
  refuseNewWork(context, source);
  let ended: { status: string; output: unknown };
  try {
    const work = agent.run ? agent.run(context) : runDeclaredLoop(context, agent, startOfLoop());
    ended = { status: 'SUCCEEDED', output: JSON.parse(JSON.stringify((await work).finalOutput ?? null)) };
  } catch (error) {
    if (error instanceof ReplayEnd) return source.changes;
    ended = { status: 'FAILED', output: null };
  }
  source.end();
  const before = { status: record.status, output: record.output ?? null };
  if (!isDeepStrictEqual(before, ended)) source.note(`It ends otherwise. ${firstDifference(before, ended)}`);
  return source.changes;
}

/** A store that ends the replay when a step begins that was not recorded: its effects must not be made. */
function refuseSteps(source: ReplaySource): RunStore {
  const store = new MemoryRunStore();
  return {
    begin: (operation) => store.begin(operation),
    finish: (operation, attached) => store.finish(operation, attached),
    checkpoint: (number, state) => store.checkpoint(number, state),
    async append(events) {
      const step = events.find(({ type }) => type === 'step.started');
      if (step && 'step' in step) {
        source.note(`The step "${step.step}" runs, and the record has no result of it.`);
        throw new ReplayEnd('The record has no such step.');
      }
      await store.append(events);
    },
  };
}

/** Has work of `once` that was not recorded end the replay: its effects must not be made. */
function refuseNewWork(context: AgentContext, source: ReplaySource): void {
  const { once } = context;
  context.once = (name) =>
    once(name, async () => {
      source.note(`The work "${name}" of \`once\` is done, and the record has no result of it.`);
      throw new ReplayEnd('The record has no such work.');
    });
}
