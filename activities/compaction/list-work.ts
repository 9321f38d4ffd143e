import type { ToolName } from '../../agents/tools/tool-declarations.ts';
import type { Message, RequestedToolCall } from '../../db/transcript/message.ts';
import { endedWell } from '../sandbox/tell-command.ts';

/** Maximum number of read files to name; of more, the latest. */
const filesRead = 40;
/** How many open problems to report, the latest ones, and how many characters from the end of each output. */
const problemsTold = 5;
const outputTold = 1_500;

const changing: ReadonlySet<string> = new Set<ToolName>(['write_file', 'edit_file']);
const reading: ReadonlySet<string> = new Set<ToolName>(['read_file']);

/** The files that successful calls named, each once, in order of their latest use. */
export function listFiles(
  messages: Message[],
  rows: Array<{ turn: number; position: number; failed: boolean | null }>,
): { changed: string[]; read: string[] } {
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
  return { changed: [...changed], read: [...read].filter((path) => !changed.has(path)).slice(-filesRead) };
}

/** Commands whose latest run failed, with the end of their output. */
export function listOpenProblems(messages: Message[]): string[] {
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
  return [...open].slice(-problemsTold).map(([command, text]) => {
    const end = text.slice(-outputTold).toWellFormed();
    return `\`${command}\`\n\n${end.replace(/^/gm, '    ')}`;
  });
}

function argumentOf(call: RequestedToolCall, name: string): string | undefined {
  try {
    const value = (JSON.parse(call.arguments) as Record<string, unknown> | null)?.[name];
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined; // not JSON, so the call was not executed
  }
}
