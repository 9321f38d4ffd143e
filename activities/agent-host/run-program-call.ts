import { createToolRegistry } from '../../agents/runtime/tools/tool-registry.ts';
import { beginOutsideCall, endOutsideCall, findOutsideCall } from '../../db/agent-runs/outside-calls.ts';
import { addEvents } from '../../db/events/add-to-owner.ts';
import type { ToolWait } from '../../domain/agent-run/tool-wait.ts';
import { preview } from '../../domain/storable-text.ts';
import { withHeartbeat } from '../heartbeat.ts';
import { createExecuteCall } from './execute-call.ts';
import type { HostDependencies } from './host-dependencies.ts';

/** A call that an agent's program makes, and the turn in which the program runs. */
export interface ProgramCallInput {
  runId: string;
  call: string;
  turn: number;
  /** The number of the answer that runs the program. */
  answerNumber: number;
}

/** The activity `runProgramCall`: makes a call of an agent's program, like one of its own, and stores its result for the program; or says what it waits for. */
export function createRunProgramCall(dependencies: HostDependencies) {
  const { database, agent, answers } = dependencies;
  const tools = createToolRegistry(agent.tools).list();
  const executeCall = createExecuteCall(dependencies);

  return async function runProgramCall({ runId, call: id, ...place }: ProgramCallInput): Promise<ToolWait | Done> {
    const row = await findOutsideCall(database, { runId, id });
    if (!row) throw new Error(`Expected the call ${id} of ${runId}, found none.`);
    if (row.endedAt) return {};
    const tool = tools.find(({ name }) => name === row.tool);
    const made = `${id}/made`;
    const result = await withHeartbeat(async (heartbeat) => {
      if (!tool) return { failed: true, text: `There is no function "${row.tool}".` };
      const begin = () => beginOutsideCall(database, { runId, id });
      const call = { id: made, tool, input: JSON.stringify(row.input) };
      return answers.attend(runId, () => executeCall({ runId, ...place, begin }, call, heartbeat));
    });
    if ('waits' in result) return result;
    const { failed, text, value = text } = result;
    const shown = { call: made, tool: preview(row.tool, 60), failed, preview: preview(text, 160) };
    await addEvents(database, { kind: 'run', id: runId }, [{ type: 'tool.result', ...shown }]);
    answers.tellStored(runId);
    await endOutsideCall(database, { runId, id, result: failed ? text : value, failed });
    return {};
  };
}

type Done = Record<never, never>;
