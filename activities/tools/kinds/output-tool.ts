import { buffer } from 'node:stream/consumers';
import { readMessagesAt } from '../../../db/transcript/transcript.ts';
import { endOfLastCharacter, startOfFirstCharacter, toText } from '../../../sandbox/output-text.ts';
import type { Dependencies } from '../../dependencies.ts';
import { createOwners } from '../../run/owners/create-owners.ts';
import type { ToolContext, ToolResult, Tools } from '../tool.ts';

interface Part {
  offset: number;
  limit: number;
}

const defaultLimit = 10_000;

/** Reads what a tool result no longer shows or never did: older results in full, and the full output of commands. */
export function createOutputTool(dependencies: Dependencies): Pick<Tools, 'read_output'> {
  const { database, sandboxes } = dependencies;
  const owners = createOwners(dependencies);
  return {
    async read_output({ message: number, offset = 0, limit = defaultLimit }, { run }) {
      const [message] = await readMessagesAt(database, run.runId, [number]);
      if (message?.role !== 'tool')
        return { failed: true, text: `Message ${number} is not a tool result of this conversation.` };
      const { text, commandId } = message.content;
      const part = { offset, limit };
      const ofCommand = commandId === undefined ? undefined : await readCommandOutput(run, commandId, part);
      const { failed, text: shown } = ofCommand ?? partOf(text, part);
      if (failed) return { failed, text: `Result ${number} ${shown}` };
      const gone = commandId !== undefined && !ofCommand ? '\n[The full output is gone; this is the stored part.]' : '';
      return { text: `${shown}${gone}`, display: `message ${number}` };
    },
  };

  /** Undefined if the sandbox, or the command's record in it, is gone. */
  async function readCommandOutput(
    run: ToolContext['run'],
    commandId: string,
    part: Part,
  ): Promise<ToolResult | undefined> {
    const where = owners[run.owner.kind].sandboxOf(run);
    const sandbox = where === undefined ? undefined : await sandboxes.find(where);
    const log = await sandbox?.readLog(commandId, part);
    if (!log) return undefined;
    const bytes = await buffer(log.bytes);
    if (bytes.length === 0) return { failed: true, text: beyondEnd(log.totalBytes, 'bytes', part) };
    const [start, end] = [startOfFirstCharacter(bytes), endOfLastCharacter(bytes)];
    const range = `[bytes ${part.offset + start} to ${part.offset + end} of ${log.totalBytes}]`;
    return { text: `${toText(bytes.subarray(start, end))}\n${range}` };
  }
}

function partOf(text: string, part: Part): ToolResult {
  const end = part.offset + part.limit;
  const shown = text.slice(part.offset, end).toWellFormed();
  if (!shown) return { failed: true, text: beyondEnd(text.length, 'characters', part) };
  const where = end < text.length ? `\n[characters ${part.offset} to ${end} of ${text.length}]` : '';
  return { text: `${shown}${where}` };
}

function beyondEnd(length: number, unit: 'bytes' | 'characters', { offset }: Part): string {
  return `has ${length} ${unit}; ${offset} is beyond its end.`;
}
