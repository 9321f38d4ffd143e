import type { ChatStreamEvent } from '../../client/chat/chat-handle.ts';
import { countOf } from '../../client/format/count.ts';
import type { ChatExchange, ChatStep } from '../../db/chats/read-history.ts';
import { describeCall } from '../../db/transcript/describe-call.ts';
import { printable, printableLine } from '../render/printable.ts';
import type { Colors } from '../render/style.ts';

/** Prints a chat line by line as it happens; nothing printed is ever erased. */
export interface ChatScreen {
  event(event: ChatStreamEvent): void;
  /** Prints an earlier exchange. */
  exchange(exchange: ChatExchange): void;
  line(text: string): void;
  /** Prints a person's message. */
  said(text: string): void;
}

/** Maximum characters shown of a tool call's subject. */
const aboutShown = 80;
/** Maximum characters shown of a tool call with its result. */
const resultShown = 120;

/** `formatLine` formats Longhaul's own lines. */
export function createChatScreen(
  output: { write(text: string): unknown },
  colors: Colors,
  isOwn: (message: string) => boolean,
  formatLine: (text: string) => string,
): ChatScreen {
  const { bold, dim, green, red, yellow } = colors;
  /** Whether the cursor is at the start of a line. */
  let atLineStart = true;

  function write(text: string): void {
    if (!text) return;
    output.write(text);
    atLineStart = text.endsWith('\n');
  }
  function line(text: string): void {
    write(`${atLineStart ? '' : '\n'}${text}\n`);
  }
  function toolLine(tool: string, failed: boolean | null, about: string): string {
    const mark = failed === null ? '…' : failed ? red('✗') : green('✓');
    const text = printableLine(about);
    return `${mark} ${dim(`${printableLine(tool)} ${text.length > resultShown ? `${text.slice(0, resultShown).toWellFormed()}…` : text}`)}`;
  }

  const said = (text: string) => line(`${bold('>')} ${printable(text)}`);

  return {
    line: (text) => line(formatLine(text)),
    said,
    event(event) {
      switch (event.type) {
        case 'message-received':
          if (event.branch !== undefined) line(dim(`[branch ${event.branch}]`));
          if (!isOwn(event.message)) said(event.text);
          return;
        case 'answer-began':
          if (event.changedAgent) line(dim(`[agent changed: ${event.changedAgent}]`));
          if (event.recalled) line(dim(`[recalled ${countOf(event.recalled, 'memory', 'memories')}]`));
          if (event.recallFailure) line(dim(`[answered without memories: ${printableLine(event.recallFailure)}]`));
          return;
        case 'answer-restarted':
          return line(dim(`[asked again${event.why ? `: ${printableLine(event.why)}` : ''}]`));
        case 'delta':
          return write(printable(event.text));
        case 'tool-ended':
          return line(toolLine(event.tool, event.failed, event.preview));
        case 'network-refused':
          for (const { why } of event.refusals) line(yellow(`[network refused: ${printableLine(why)}]`));
          return;
        case 'answer':
          return line(event.limit === undefined ? '' : yellow(printableLine(event.limit)));
        case 'failure':
          return line(event.stopped ? dim('[stopped]') : red(`No answer: ${printableLine(formatLine(event.reason))}`));
        default:
          return;
      }
    },
    exchange({ said: text, steps, status, reason }) {
      said(text);
      for (const step of steps) {
        if (step.type === 'text') line(printable(step.text));
        else line(toolLine(step.tool, step.failed, aboutStep(step)));
      }
      if (status === 'STOPPED') line(dim('[stopped]'));
      else if (status === 'FAILED') line(red(`No answer: ${printableLine(formatLine(reason ?? ''))}`));
      else line(reason === null ? '' : yellow(printableLine(reason)));
    },
  };
}

/** The subject of a call, and its result. */
function aboutStep({ tool, arguments: given, result }: Extract<ChatStep, { type: 'tool' }>): string {
  const about = describeCall({ id: '', name: tool, arguments: given }, aboutShown);
  return [about, result].filter(Boolean).join(' → ');
}
