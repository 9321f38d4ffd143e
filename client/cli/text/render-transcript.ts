import type { Message } from '../../../db/transcript/message.ts';
import type { RunRow } from '../../../db/transcript/transcript.ts';
import type { Colors } from './colors.ts';
import { printable, printableLine } from './printable.ts';

/** A run's messages as a person reads them. */
export function renderTranscript(run: RunRow, messages: Message[], colors: Colors): string {
  const head = `${colors.bold(run.id)}  ${run.role} on ${printableLine(run.model)}, ${run.status}`;
  const parts = messages.map((message) => renderMessage(message, colors));
  const result = run.result ? [`${colors.bold('result')}\n${printable(run.result)}`] : [];
  return [head, ...parts, ...result].join('\n\n');
}

function renderMessage({ number, turn, role, content }: Message, colors: Colors): string {
  const calls = (content.toolCalls ?? []).map(
    (call) => `${colors.cyan(printableLine(call.name))} ${printable(call.arguments)}`,
  );
  const title = colors.dim(`#${number} ${role}, turn ${turn}`);
  return [title, ...(content.text ? [printable(content.text)] : []), ...calls].join('\n');
}
