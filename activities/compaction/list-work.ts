import type { ToolName } from '../../agents/tools/tool-declarations.ts';
import type { Message, RequestedToolCall } from '../../domain/run/message.ts';

/** Each file once, in order of its latest use. */
export interface WorkFiles {
  changed: string[];
  /** Those that were only read. */
  read: string[];
}

const changing: ReadonlySet<string> = new Set<ToolName>(['write_file', 'edit_file']);
const reading: ReadonlySet<string> = new Set<ToolName>(['read_file']);

/** A finished tool call; `failed` is null if it was not executed. */
interface CallRow {
  turn: number;
  position: number;
  failed: boolean | null;
}

/** The files that successful calls named. */
export function listFiles(messages: Message[], rows: CallRow[]): WorkFiles {
  const done = placesOf(rows, false);
  const changed = new Set<string>();
  const read = new Set<string>();
  for (const { turn, content } of messages) {
    for (const [position, call] of (content.toolCalls ?? []).entries()) {
      const list = changing.has(call.name) ? changed : reading.has(call.name) ? read : undefined;
      const path = argumentOf(call, 'path');
      if (!list || path === undefined || !done.has(`${turn}.${position}`)) continue;
      list.delete(path);
      list.add(path);
    }
  }
  return { changed: [...changed], read: [...read].filter((path) => !changed.has(path)) };
}

/** Commands whose latest run failed, with its output. */
export function listOpenProblems(messages: Message[], rows: CallRow[]): Array<{ command: string; output: string }> {
  const outputs = new Map(messages.map(({ content }) => [content.toolCallId, content.text]));
  const failed = placesOf(rows, true);
  const open = new Map<string, string>();
  for (const { turn, content } of messages) {
    for (const [position, call] of (content.toolCalls ?? []).entries()) {
      const command = call.name === 'run_command' ? argumentOf(call, 'command') : undefined;
      const output = outputs.get(call.id);
      if (command === undefined || output === undefined) continue;
      open.delete(command);
      if (failed.has(`${turn}.${position}`)) open.set(command, output);
    }
  }
  return [...open].map(([command, output]) => ({ command, output }));
}

function placesOf(rows: CallRow[], wanted: boolean): Set<string> {
  return new Set(rows.filter(({ failed }) => failed === wanted).map(({ turn, position }) => `${turn}.${position}`));
}

function argumentOf(call: RequestedToolCall, name: string): string | undefined {
  try {
    const value = (JSON.parse(call.arguments) as Record<string, unknown> | null)?.[name];
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined; // not JSON, so the call was not executed
  }
}
