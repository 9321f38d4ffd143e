import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';

const folder = join(import.meta.dirname, '..', 'histories');
/** Recordings of one workflow: what a fifth shows is rarely new, and each is some 100 kB. */
const maxPerWorkflow = 4;

/** Replaces the recorded histories by those of the workflows that ended on this server: of each workflow the longest, then those that show something new. */
export async function recordHistories(address) {
  const connection = await Connection.connect({ address });
  const client = new Client({ connection });
  const histories = new Map();
  for await (const { type, workflowId, runId, historyLength } of client.workflow.list({
    query: 'ExecutionStatus = "Completed" or ExecutionStatus = "ContinuedAsNew"',
  })) {
    histories.set(type, [...(histories.get(type) ?? []), { workflowId, runId, historyLength }]);
  }
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
  for (const [type, runs] of histories) {
    if (!type.endsWith('Workflow')) continue; // a test's own
    if (type === 'describeWorkerWorkflow') continue; // one activity, whose result is the settings of this machine
    const seen = new Set();
    let recorded = 0;
    for (const { workflowId, runId } of runs.sort((a, b) => b.historyLength - a.historyLength)) {
      if (recorded === maxPerWorkflow) break;
      const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
      const kinds = kindsOf(history.events);
      if (kinds.every((kind) => seen.has(kind))) continue;
      for (const kind of kinds) seen.add(kind);
      recorded += 1;
      const file = `${type.replace(/Workflow$/, '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}-${recorded}.json`;
      writeFileSync(join(folder, file), `${JSON.stringify(JSON.parse(historyToJSON(history)), withoutStacks)}\n`);
      console.log(`${file}: ${history.events.length} events of ${workflowId}`);
    }
  }
  await connection.close();
}

/** Stacks name folders of this machine, and no replay reads them. */
function withoutStacks(key, value) {
  return key === 'stackTrace' ? '' : value;
}

/** What happened in a history: each kind of event with the name of its activity, child workflow, signal or update. */
function kindsOf(events) {
  return events.map((event) => {
    const [attributes] = Object.entries(event)
      .filter(([key]) => key.endsWith('Attributes'))
      .map(([, value]) => value);
    const name =
      attributes?.activityType?.name ??
      attributes?.workflowType?.name ??
      attributes?.signalName ??
      attributes?.acceptedRequest?.input?.name;
    return `${event.eventType} ${name ?? ''}`;
  });
}
