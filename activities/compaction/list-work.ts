import type { ToolName } from '../../agents/tools/tool-declarations.ts';
import type { Message, RequestedToolCall } from '../../domain/run/message.ts';
import { endedWell } from '../sandbox/tell-command.ts';

/** Each file once, in order of its latest use. */
export interface WorkFiles {
  changed: string[];
  /** Those that were only read. */
  read: string[];
}

const changing: ReadonlySet<string> = new Set<ToolName>(['write_file', 'edit_file']);
const reading: ReadonlySet<string> = new Set<ToolName>(['read_file']);

/** The files that successful calls named. */
export function listFiles(
  messages: Message[],
  rows: Array<{ turn: number; position: number; failed: boolean | null }>,
): WorkFiles {
  const done = new Set(rows.filter(({ failed }) => failed === false).map((row) => `${row.turn}.${row.position}`));
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
export function listOpenProblems(messages: Message[]): Array<{ command: string; output: string }> {
  const commands = new Map<string, string>();
  for (const { content } of messages) {
    if (content.toolCallId === undefined) {
      for (const call of content.toolCalls ?? []) {
        const command = call.name === 'run_command' ? argumentOf(call, 'command') : undefined;
        if (command !== undefined) commands.set(call.id, command);
      }
    }
  }
  const open = new Map<string, string>();
  for (const { content } of messages) {
    const command = content.toolCallId === undefined ? undefined : commands.get(content.toolCallId);
    if (command === undefined) continue;
    open.delete(command);
    if (!endedWell(content.text)) open.set(command, content.text);
  }
  return [...open].map(([command, output]) => ({ command, output }));
}

function argumentOf(call: RequestedToolCall, name: string): string | undefined {
  try {
    const value = (JSON.parse(call.arguments) as Record<string, unknown> | null)?.[name];
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined; // not JSON, so the call was not executed
  }
}
