import type { ChatStreamEvent } from '../../../client/chat/chat-handle.ts';
import { countOf } from '../../../client/format/count.ts';
import type { ChatExchange, ChatStep } from '../../../db/chats/read-history.ts';
import { describeCall } from '../../../db/transcript/describe-call.ts';
import { shorten } from '../../../domain/storable-text.ts';
import { printableLine } from '../../render/printable.ts';
import type { Colors } from '../../render/style.ts';

/** Maximum characters shown of a tool call's subject. */
const aboutShown = 80;
/** Maximum characters shown of a tool call with its result. */
const resultShown = 120;

/** What is said while no worker reports. */
export const silence = 'No worker responds. The answer continues as soon as one does.';

/** The lines that stay on the screen for an event besides the answer's words. `formatLine` formats Longhaul's own lines. */
export function describeChatEvent(
  event: ChatStreamEvent,
  { colors, formatLine }: { colors: Colors; formatLine: (text: string) => string },
): string[] {
  const { dim, red, yellow } = colors;
  switch (event.type) {
    case 'message.received':
      return event.branch === undefined ? [] : [dim(`[branch ${event.branch}]`)];
    case 'answer.started':
      return [
        ...(event.changedAgent ? [dim(`[agent changed: ${printableLine(event.changedAgent)}]`)] : []),
        ...(event.recalled ? [dim(`[recalled ${countOf(event.recalled, 'memory', 'memories')}]`)] : []),
        ...(event.recallFailure ? [dim(`[answered without memories: ${printableLine(event.recallFailure)}]`)] : []),
      ];
    case 'tool-ended':
      return [describeTool(event.tool, event.failed, event.preview, colors)];
    case 'network.refused':
      return event.refusals.map(({ why }) => yellow(`[network refused: ${printableLine(why)}]`));
    case 'answer':
      return event.limit === undefined ? [] : [yellow(printableLine(event.limit))];
    case 'failure':
      return [event.stopped ? dim('[stopped]') : red(`No answer: ${printableLine(formatLine(event.reason))}`)];
    default:
      return [];
  }
}

/** A tool call in one line; `failed` is null while it runs. */
export function describeTool(tool: string, failed: boolean | null, about: string, { dim, green, red }: Colors): string {
  const mark = failed === null ? '…' : failed ? red('✗') : green('✓');
  return `${mark} ${dim(`${printableLine(tool)} ${shorten(printableLine(about), resultShown)}`)}`;
}

/** The subject of a call, and its result. */
export function aboutStep({ tool, arguments: given, result }: Extract<ChatStep, { type: 'tool' }>): string {
  const about = describeCall({ id: '', name: tool, arguments: given }, aboutShown);
  return [about, result].filter(Boolean).join(' → ');
}

/** How an earlier exchange ended, if not with a whole answer. */
export function describeEnding(
  { status, reason }: Pick<ChatExchange, 'status' | 'reason'>,
  { colors, formatLine }: { colors: Colors; formatLine: (text: string) => string },
): string[] {
  if (status === 'STOPPED') return [colors.dim('[stopped]')];
  if (status === 'FAILED') return [colors.red(`No answer: ${printableLine(formatLine(reason ?? ''))}`)];
  return reason === null ? [] : [colors.yellow(printableLine(reason))];
}
