import { createHash } from 'node:crypto';
import { programTool } from '../../agents/runtime/tools/program-tool.ts';
import { type OutsideCallRow, openOutsideCall } from '../../db/agent-runs/outside-calls.ts';
import type { DeclaredTool } from '../../domain/agent-run/declaration.ts';
import {
  exchangeCalls,
  type ProgramAnswer,
  type ProgramCall,
  type ProgramEnd,
  runAgentProgram,
} from '../../sandbox/agent-tools/program.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Dependencies } from '../dependencies.ts';
import type { ActivitySignals } from '../heartbeat.ts';
import { openRunSandbox } from '../sandbox/run-sandbox.ts';

/** A program that died with its sandbox this often is expected to do so again. */
const maxStarts = 3;
/** Milliseconds that one look for calls takes at most. */
const lookMs = 2_000;
/** Milliseconds that a program may take between two calls. */
const patience = 120_000;

/** Calls of a program that its agent's process has to make before the program goes on. */
export interface CallsOfProgram {
  calls: Array<{ id: string; readOnly: boolean; summary: string }>;
}

/** Runs a program of an agent until it has ended, or waits for calls that nobody has made. */
export function createRunProgram(dependencies: Dependencies) {
  const { database } = dependencies;

  return async (
    call: OutsideCallRow,
    command: string,
    tools: readonly DeclaredTool[],
    signals: ActivitySignals,
  ): Promise<ProgramEnd | CallsOfProgram> => {
    const sandbox = await openRunSandbox(dependencies, call.runId);
    for (let start = 1; start <= maxStarts; start += 1) {
      const end = await follow(sandbox, call, `${command}-${start}`, tools, signals);
      signals.cancel.throwIfAborted();
      if ('calls' in end || end.ended !== 'interrupted') return end;
    }
    return { ended: 'failed', error: `It was stopped with its sandbox ${maxStarts} times.`, output: '' };
  };

  async function follow(
    sandbox: Sandbox,
    call: OutsideCallRow,
    id: string,
    tools: readonly DeclaredTool[],
    { cancel, detach }: ActivitySignals,
  ): Promise<ProgramEnd | CallsOfProgram> {
    const leaving = new AbortController();
    const slow = new AbortController();
    const running = runAgentProgram(sandbox, {
      ...{ id, code: (call.input as { code: string }).code, functions: tools.map(({ name }) => name) },
      cancel: AbortSignal.any([cancel, slow.signal]),
      detach: AbortSignal.any([detach, leaving.signal]),
    });
    let end: ProgramEnd | undefined;
    let failure: unknown;
    const over = running.then(
      (ended) => {
        end = ended;
      },
      (error: unknown) => {
        failure = error;
      },
    );
    let answers: ProgramAnswer[] = [];
    for (let since = Date.now(); ; ) {
      const looking = exchangeCalls(sandbox, { id, answers, waitMs: lookMs });
      looking.catch(() => {}); // the program's end says more
      const open = await Promise.race([looking, over.then(() => [] as ProgramCall[])]);
      if (failure !== undefined) throw failure;
      if (end) return slow.signal.aborted ? tooSlow : end;
      const rows = await Promise.all(open.map((one) => keep(call, one)));
      answers = open.flatMap(({ number }, index) => answerOf(number, rows[index]));
      if (open.length) since = Date.now();
      if (open.length && !answers.length) {
        leaving.abort(new Error('The program waits for its calls.'));
        return { calls: rows.map((row) => describe(row, tools)) };
      }
      if (Date.now() - since > patience) slow.abort();
    }
  }

  /** A call of the program, under an id that it has again if the program begins anew. */
  function keep({ runId, id }: OutsideCallRow, { tool, input, time }: ProgramCall): Promise<OutsideCallRow> {
    const hash = createHash('sha256').update(JSON.stringify(input)).digest('hex').slice(0, 24);
    const place = { place: 'program' as const, hasSideEffects: false, timeoutMs: null };
    return openOutsideCall(database, { runId, id: `${id}/${tool}:${hash}:${time}`, tool, input, ...place });
  }
}

const tooSlow: ProgramEnd = {
  ended: 'failed',
  error: `It was stopped: it took more than ${patience / 1000} s without a call.`,
  output: '',
};

function answerOf(number: number, row: OutsideCallRow | undefined): ProgramAnswer[] {
  if (!row?.endedAt) return [];
  return [row.failed ? { number, error: String(row.result) } : { number, value: row.result }];
}

function describe({ id, tool }: OutsideCallRow, tools: readonly DeclaredTool[]): CallsOfProgram['calls'][number] {
  const declared = tools.find(({ name }) => name === tool);
  return { id, readOnly: declared !== undefined && !declared.hasSideEffects, summary: `${programTool.name}: ${tool}` };
}
