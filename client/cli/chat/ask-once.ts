import type { ChatHandle } from '../../chat/chat-handle.ts';
import type { CommandContext } from '../command-context.ts';
import { type ExitCode, exitCodes } from '../exit-code.ts';
import { printable } from '../text/printable.ts';

/** Says one thing and prints the answer; what else there is to tell goes to stderr. Ctrl-C stops the answer. */
export async function askOnce(context: CommandContext, chat: ChatHandle, question: string): Promise<ExitCode> {
  const interrupt = context.interruptSignal();
  const id = await chat.say(question);
  const stop = () => void chat.stop(id).catch((error: unknown) => context.note(String(error)));
  interrupt.addEventListener('abort', stop, { once: true });
  if (interrupt.aborted) stop();
  const onTrouble = (trouble: Error | undefined) =>
    context.note(trouble ? `${trouble.message} Waiting for it.` : 'It is back.');
  for await (const event of chat.send(question, { id, onTrouble })) {
    if (event.type === 'answer-began' && event.changedAgent)
      context.note(`From here on: ${event.changedAgent}, as it is now.`);
    if (event.type === 'answer-restarted' && event.why) context.note(`Asked again: ${event.why}`);
    if (event.type === 'tool-ended') context.note(`${event.failed ? '✗' : '✓'} ${event.tool} ${event.preview}`);
    if (event.type === 'answer') {
      if (event.text) context.print(printable(event.text));
      if (event.limit !== undefined) context.note(event.limit);
      return exitCodes.done;
    }
    if (event.type === 'failure') {
      context.note(event.stopped ? 'Stopped.' : `No answer: ${event.reason}`);
      return event.stopped ? exitCodes.interrupted : exitCodes.failed;
    }
  }
  return exitCodes.failed;
}
