import { sql } from 'drizzle-orm';
import { type Measurement, median, milliseconds } from '../measurement.ts';
import type { BenchStack } from '../stack/bench-stack.ts';
import { runAgent } from './measured-run.ts';
import { readTurns, type TurnWindow } from './turn-windows.ts';

/** A few more than a thousand, so that turn 1,000 has as many neighbours after it as before. */
const turns = 1_005;
/** How many turns on either side of the one that a row names are included. */
const around = 5;
const maxBytes = 4 * 1024;
const maxRatio = 3;

/** One run of a thousand turns: what a turn adds to the history early and late, and what all turns add to the database. */
export async function measureLongRun(stack: BenchStack): Promise<Measurement[]> {
  const before = await databaseBytes(stack);
  const runId = await runAgent(stack, 'long', 'search_memory', turns);
  const stored = (await databaseBytes(stack)) - before;
  const windows = await readTurns(stack.client, runId, 'callModel');
  if (windows.length !== turns)
    throw new Error(`Expected ${turns} turns in the history of ${runId}, found ${windows.length}.`);
  const early = summarize(windows, 10);
  const late = summarize(windows, 1_000);
  const text = await textBytes(stack, runId);
  return [
    {
      what: 'history per turn: bytes at turn 1,000 against turn 10',
      ours: `${late.bytes} B`,
      bare: `${early.bytes} B`,
      ratio: late.bytes / early.bytes,
      goal: {
        text: `constant, at most ${maxBytes} B`,
        reached: Math.max(early.bytes, late.bytes) <= maxBytes && isSteady(late.bytes / early.bytes),
      },
    },
    {
      what: 'history per turn: events at turn 1,000 against turn 10',
      ours: `${late.events}`,
      bare: `${early.events}`,
      ratio: late.events / early.events,
      goal: { text: 'constant', reached: isSteady(late.events / early.events) },
    },
    {
      what: 'database per turn against the text of its messages',
      ours: `${Math.round(stored / turns)} B`,
      bare: `${Math.round(text / turns)} B`,
      ratio: stored / text,
      goal: { text: `at most ${maxRatio}x`, reached: stored / text <= maxRatio },
    },
    {
      what: 'time per turn at turn 1,000 against turn 10',
      ours: milliseconds(late.milliseconds),
      bare: milliseconds(early.milliseconds),
      ratio: late.milliseconds / early.milliseconds,
    },
  ];
}

/** Allows for a four-digit turn number, which takes a few bytes more than one of two digits. */
function isSteady(ratio: number): boolean {
  return ratio <= 1.05;
}

function summarize(windows: TurnWindow[], turn: number) {
  const near = windows.slice(turn - 1 - around, turn + around);
  return {
    bytes: median(near.map((window) => window.bytes)),
    events: median(near.map((window) => window.events)),
    milliseconds: median(near.flatMap((window) => window.milliseconds ?? [])),
  };
}

/** The size of every table with its indexes, TOAST and free pages. */
async function databaseBytes({ connection }: BenchStack): Promise<number> {
  const [row] = await connection.database.execute<{ bytes: number }>(
    sql`select sum(pg_total_relation_size(oid))::float8 as bytes from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );
  return row?.bytes ?? 0;
}

/** Bytes of what the model and its tools said in the run's turns, call arguments included. */
async function textBytes({ connection }: BenchStack, runId: string): Promise<number> {
  const [row] = await connection.database.execute<{ bytes: number }>(sql`
    select sum(octet_length(content ->> 'text') + coalesce(calls.bytes, 0))::float8 as bytes
    from messages
    left join lateral (
      select sum(octet_length(call ->> 'name') + octet_length(call ->> 'arguments')) as bytes
      from jsonb_array_elements(content -> 'toolCalls') as call
    ) as calls on true
    where run_id = ${runId} and turn > 0`);
  return row?.bytes ?? 0;
}
