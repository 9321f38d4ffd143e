import type { RunView } from '../../client/agent-runs/run-view.ts';
import { formatMoment, formatTime } from '../../client/format/time.ts';
import { type AgentRunStatus, hasEnded } from '../../domain/agent-run/status.ts';
import { preview } from '../../domain/storable-text.ts';
import type { CommandContext } from '../program/command-context.ts';
import { alignColumns } from '../render/columns.ts';
import { printableJson, printableLine } from '../render/printable.ts';
import { listStyle } from '../render/style.ts';
import { printOutput } from './print-output.ts';

export async function listRuns(
  context: CommandContext,
  { json, ...filter }: { agent?: string; status?: AgentRunStatus; limit?: number; json?: boolean },
): Promise<void> {
  const found = await context.withLonghaul((longhaul) => longhaul.runs.list(filter));
  if (json) return context.printJson(found);
  const { width } = listStyle(context);
  const rows = found.map(({ id, agent, status, createdAt, input, reason, waitsFor }) => [
    id,
    agent,
    status,
    formatMoment(createdAt),
    printableLine(preview(reason ?? waitsFor ?? input.at(-1)?.content ?? '', 80)),
  ]);
  context.printMessage(
    alignColumns(rows, width).join('\n') || 'There are no such runs. `longhaul run <agent>` starts one.',
  );
}

export async function showRun(context: CommandContext, reference: string, { json }: { json?: boolean }): Promise<void> {
  await context.withLonghaul(async (longhaul) => {
    const handle = await longhaul.runs.find(reference);
    const view = await handle.status();
    const result = view.status === 'SUCCEEDED' ? await handle.result() : undefined;
    if (json) return context.printJson({ ...view, ...result });
    context.print(describeRun(view));
    if (!result) return;
    const { output, usage } = result;
    const { modelCalls, inputTokens, outputTokens } = usage;
    if (modelCalls > 0) context.print(`${modelCalls} model calls, ${inputTokens} tokens in, ${outputTokens} out`);
    context.print('');
    printOutput(context, output);
  });
}

function describeRun(view: RunView): string {
  const { id, agent, version, status, attempts, input, reason, waitsFor, createdAt, endedAt } = view;
  const lines = [
    `${id}: ${agent} (version ${version})`,
    `${status}${reason === undefined ? '' : `: ${reason}`}`,
    `started ${formatMoment(createdAt)}${endedAt ? `, ended ${formatMoment(endedAt)}` : ''}${attempts > 1 ? `, ${attempts} tries` : ''}`,
    ...(waitsFor === undefined ? [] : [`waits for ${waitsFor}`]),
    `input: ${preview(input.at(-1)?.content ?? '', 200)}`,
  ];
  return lines.map(printableLine).join('\n');
}

export async function printEvents(
  context: CommandContext,
  reference: string,
  { after = 0, follow, json }: { after?: number; follow?: boolean; json?: boolean },
): Promise<void> {
  await context.withLonghaul(async (longhaul) => {
    const handle = await longhaul.runs.find(reference);
    const { status } = await handle.status();
    const stop = new AbortController();
    const { eventCount } = await handle.status();
    for await (const event of handle.events({ after, live: false, signal: stop.signal })) {
      const { runId: _, sequence, createdAt, ...data } = event;
      if (json) context.print(printableJson({ sequence, createdAt, ...data }));
      else context.print(printableLine(`${sequence} ${formatTime(createdAt)} ${data.type} ${describeData(data)}`));
      if (!follow && !hasEnded(status) && sequence >= eventCount) stop.abort();
    }
  });
}

function describeData({ type: _, ...data }: { type: string }): string {
  return Object.entries(data)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ');
}

export async function cancelRun(context: CommandContext, reference: string): Promise<void> {
  await context.withLonghaul(async (longhaul) => {
    const handle = await longhaul.runs.find(reference);
    await handle.cancel();
    context.note(`${handle.runId} is asked to stop.`);
  });
}

export async function retryRun(context: CommandContext, reference: string): Promise<void> {
  await context.withLonghaul(async (longhaul) => {
    const { runId } = await longhaul.runs.retry(reference);
    context.print(runId);
    context.note(`\`longhaul runs events ${runId} -f\` shows what it does.`);
  });
}
