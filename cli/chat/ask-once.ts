import type { ChatHandle } from '../../client/chat/chat-handle.ts';
import type { CommandContext } from '../program/command-context.ts';
import { describeError } from '../program/describe-error.ts';
import { type ExitCode, exitCodes } from '../program/exit-code.ts';
import { printable, printableLine } from '../render/printable.ts';
import { sendMentioned } from './mentions.ts';

/**
 * Asks one question and prints the answer to stdout, everything else to stderr. Ctrl-C stops the answer; an unreachable server is waited for, since
 * the message is stored.
 */
export async function askOnce(context: CommandContext, chat: ChatHandle, question: string): Promise<ExitCode> {
  const interrupt = context.interruptSignal();
  const leaving = new AbortController();
  const id = crypto.randomUUID();
  let kept = false;
  let away = false;
  function stop(): void {
    if (away) leaving.abort(); // the chat cannot be stopped
    if (away || !kept) return; // a message that is still being stored is stopped afterwards
    void chat.stop(id).catch((error: unknown) => {
      context.note(describeError(error));
      leaving.abort();
    });
  }
  interrupt.addEventListener('abort', stop, { once: true });
  function onTrouble(trouble: Error | undefined): void {
    context.note(
      trouble ? `${trouble.message} Your message is stored. Waiting for the server.` : 'The server is back.',
    );
    away = trouble !== undefined;
    if (interrupt.aborted) stop();
  }
  const { folder, note } = context;
  const whole = await sendMentioned(chat, { text: question, folder, note });
  for await (const event of chat.send(whole.text, { images: whole.images, id, onTrouble, signal: leaving.signal })) {
    if (event.type === 'message-received') {
      kept = true;
      if (interrupt.aborted) stop();
    }
    if (event.type === 'answer-began' && event.changedAgent) context.note(`Agent changed: ${event.changedAgent}`);
    if (event.type === 'answer-restarted' && event.why) context.note(printableLine(`Asked again: ${event.why}`));
    if (event.type === 'tool-ended')
      context.note(printableLine(`${event.failed ? '✗' : '✓'} ${event.tool} ${event.preview}`));
    if (event.type === 'answer') {
      if (event.text) context.print(printable(event.text));
      if (event.limit !== undefined) context.note(printableLine(event.limit));
      return event.text ? exitCodes.done : exitCodes.failed;
    }
    if (event.type === 'failure') {
      context.note(event.stopped ? 'Stopped.' : printableLine(`No answer: ${event.reason}`));
      return event.stopped ? exitCodes.interrupted : exitCodes.failed;
    }
  }
  return interrupt.aborted ? exitCodes.interrupted : exitCodes.failed;
}
