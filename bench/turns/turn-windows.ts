import type { Client } from '@temporalio/client';

type History = Awaited<ReturnType<ReturnType<Client['workflow']['getHandle']>['fetchHistory']>>;
type HistoryEvent = NonNullable<History['events']>[number];

/** What one turn added to a history. */
export interface TurnWindow {
  /** Encoded the way the server stores and counts events. */
  bytes: number;
  events: number;
  /** Until the start of the next turn; undefined for the last one of an execution. */
  milliseconds: number | undefined;
}

/** The turns of a workflow over all executions of its chain; a turn begins when its first activity is scheduled. */
export async function readTurns(client: Client, workflowId: string, firstActivity: string): Promise<TurnWindow[]> {
  const turns: TurnWindow[] = [];
  let execution: string | null | undefined = await firstExecutionOf(client, workflowId);
  while (execution) {
    const { events } = await client.workflow.getHandle(workflowId, execution).fetchHistory();
    turns.push(...windowsOf(events ?? [], firstActivity));
    execution = events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId;
  }
  return turns;
}

async function firstExecutionOf(client: Client, workflowId: string): Promise<string> {
  const { raw } = await client.workflow.getHandle(workflowId).describe();
  const first = raw.workflowExecutionInfo?.firstRunId;
  if (!first) throw new Error(`Expected the server to name the first execution of ${workflowId}, it does not.`);
  return first;
}

function windowsOf(events: HistoryEvent[], firstActivity: string): TurnWindow[] {
  const begins = events.flatMap((event, index) =>
    event.activityTaskScheduledEventAttributes?.activityType?.name === firstActivity ? [index] : [],
  );
  return begins.map((begin, turn) => {
    const end = begins[turn + 1] ?? events.length;
    const next = events[end];
    const first = events[begin];
    return {
      bytes: events.slice(begin, end).reduce((sum, event) => sum + encodedBytes(event), 0),
      events: end - begin,
      milliseconds: next && first ? timeOf(next) - timeOf(first) : undefined,
    };
  });
}

/** Events are instances of the generated protobuf classes, which can encode themselves. */
function encodedBytes(event: HistoryEvent): number {
  const type = event.constructor as unknown as { encode(event: HistoryEvent): { finish(): Uint8Array } };
  return type.encode(event).finish().length;
}

function timeOf(event: HistoryEvent): number {
  return Number(event.eventTime?.seconds ?? 0) * 1000 + (event.eventTime?.nanos ?? 0) / 1e6;
}
