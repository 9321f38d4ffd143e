import { printable, printableLine } from '../../render/printable.ts';
import type { Colors } from '../../render/style.ts';
import { createAnswerText } from './answer-text.ts';
import type { ChatScreen } from './chat-screen.ts';
import { aboutStep, describeChatEvent, describeEnding, describeTool, silence } from './describe-chat-event.ts';

/**
 * Prints a chat line by line where the cursor cannot be moved: nothing printed is ever erased, and Markdown stays as it is written. `formatLine` formats
 * Longhaul's own lines.
 */
export function createPlainScreen(
  output: { write(text: string): unknown },
  colors: Colors,
  isOwn: (message: string) => boolean,
  formatLine: (text: string) => string,
): ChatScreen {
  const { bold, dim, yellow } = colors;
  const style = { colors, formatLine };
  /** Whether the cursor is at the start of a line. */
  let atLineStart = true;
  /** The model is asked again: an outage is told once, although each failure may have words of its own. */
  let isDelayed = false;
  let isPaused = false;

  function write(text: string): void {
    if (!text) return;
    output.write(text);
    atLineStart = text.endsWith('\n');
  }
  function line(text: string): void {
    write(`${atLineStart ? '' : '\n'}${text}\n`);
  }
  const said = (text: string) => line(`${bold('>')} ${printable(text)}`);
  const answer = createAnswerText({
    write: (text) => write(printable(text)),
    discard: (why) => line(dim(`[asked again${why ? `: ${printableLine(why)}` : ''}]`)),
  });

  return {
    line: (text) => line(formatLine(text)),
    said,
    event(event) {
      if (event.type === 'answer-restarted') return answer.restart(event.why);
      if (event.type !== 'answer-delayed') isDelayed = false;
      if (event.type === 'delta') return answer.add(event.text);
      if (event.type === 'answer-delayed') {
        if (!isDelayed) line(yellow(`[${printableLine(formatLine(event.why))} Asking again.]`));
        isDelayed = true;
        return;
      }
      if (event.type === 'worker-silent' && isPaused) return;
      if (event.type === 'worker-silent') return line(yellow(`[${formatLine(silence)}]`));
      if (event.type === 'message.received' && !isOwn(event.message)) said(event.text);
      if (event.type === 'tool-began' || event.type === 'answer') answer.end();
      if (event.type === 'failure') answer.end({ brokenOff: true });
      for (const text of describeChatEvent(event, style)) line(text);
      if (event.type === 'answer' && !atLineStart) write('\n');
    },
    exchange(exchange) {
      said(exchange.said);
      for (const step of exchange.steps) {
        if (step.type === 'text') line(printable(step.text));
        else line(describeTool(step.tool, step.failed, aboutStep(step), colors));
      }
      const ending = describeEnding(exchange, style);
      for (const text of ending.length ? ending : ['']) line(text);
    },
    setPaused(now) {
      isPaused = now;
    },
    end() {},
  };
}
