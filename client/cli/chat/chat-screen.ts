import type { ChatExchange } from '../../../db/chats/read-history.ts';
import type { ChatStreamEvent } from '../../chat/chat-event.ts';
import { countOf } from '../../format/count.ts';
import type { Colors } from '../text/colors.ts';
import { printable, printableLine } from '../text/printable.ts';

/** Shows a conversation as it goes, line by line; nothing that was written is taken back. */
export interface ChatScreen {
  event(event: ChatStreamEvent): void;
  /** What was said before. */
  exchange(exchange: ChatExchange): void;
  line(text: string): void;
}

/** Characters of what a tool brought that are shown. */
const resultShown = 120;

export function createChatScreen(
  output: { write(text: string): unknown },
  colors: Colors,
  isOwn: (message: string) => boolean,
): ChatScreen {
  const { bold, dim, green, red, yellow } = colors;
  /** Where the cursor is. */
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
    return `${mark} ${dim(`${tool} ${text.length > resultShown ? `${text.slice(0, resultShown).toWellFormed()}…` : text}`)}`;
  }

  return {
    line,
    event(event) {
      switch (event.type) {
        case 'message-kept':
          if (event.branch !== undefined) line(dim(`[branch ${event.branch}]`));
          if (!isOwn(event.message)) line(`${bold('>')} ${printableLine(event.text)}`);
          return;
        case 'answer-began':
          if (event.changedAgent) line(dim(`[from here on: ${event.changedAgent}, as it is now]`));
          if (event.recalled) line(dim(`[recalled ${countOf(event.recalled, 'memory', 'memories')}]`));
          return;
        case 'answer-restarted':
          return line(dim(`[asked again${event.why ? `: ${printableLine(event.why)}` : ''}]`));
        case 'delta':
          return write(printable(event.text));
        case 'tool-ended':
          return line(toolLine(event.tool, event.failed, event.preview));
        case 'answer':
          return line(event.limit === undefined ? '' : yellow(printableLine(event.limit)));
        case 'failure':
          return line(event.stopped ? dim('[stopped]') : red(`No answer: ${printableLine(event.reason)}`));
        default:
          return;
      }
    },
    exchange({ said, steps, status, reason }) {
      line(`${bold('>')} ${printable(said)}`);
      for (const step of steps) {
        if (step.type === 'text') line(printable(step.text));
        else line(toolLine(step.tool, step.failed, step.result || step.arguments));
      }
      if (status === 'STOPPED') line(dim('[stopped]'));
      else if (status === 'FAILED') line(red(`No answer: ${printableLine(reason ?? '')}`));
      else line(reason === null ? '' : yellow(printableLine(reason)));
    },
  };
}
