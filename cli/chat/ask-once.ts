import type { ChatHandle, ChatStreamEvent } from '../../client/chat/chat-handle.ts';
import type { CommandContext } from '../program/command-context.ts';
import { describeError } from '../program/describe-error.ts';
import { type ExitCode, exitCodes } from '../program/exit-code.ts';
import { loadMarkdown } from '../render/markdown/load-markdown.ts';
import { printable, printableLine } from '../render/printable.ts';
import { colorsFor, terminalSize } from '../render/style.ts';
import { sendMentioned } from './mentions.ts';
import { silence } from './screen/describe-chat-event.ts';
import { createStatusLine } from './screen/status-line.ts';

/** Milliseconds that a worker has for stopping the answer; after them the command ends all the same. */
const stopMs = 4_000;

/**
 * Asks one question, of which the person typed a part, and prints the answer to stdout, everything else to stderr. Ctrl-C stops the answer, and ends
 * the command within seconds whoever is away; an unreachable server is waited for, since the message is stored.
 */
export async function askOnce(
  context: CommandContext,
  chat: ChatHandle,
  { question, typed }: { question: string; typed: string },
): Promise<ExitCode> {
  const interrupt = context.interruptSignal();
  const leaving = new AbortController();
  const id = crypto.randomUUID();
  let kept = false;
  let away = false;
  const status = createStatusLine(context);
  let isDelayed = false;
  function stop(): void {
    if (away) leave(); // the chat cannot be stopped
    if (away || !kept) return; // a message that is still being stored is stopped afterwards
    void chat.stop(id).catch((error: unknown) => {
      status.note(describeError(error));
      leave();
    });
  }
  let leave = () => {};
  const left = new Promise<ExitCode>((resolve) => {
    leave = () => {
      if (leaving.signal.aborted) return;
      leaving.abort();
      status.note(kept ? whatContinues(chat) : 'No server has answered, so the message may not be stored.');
      resolve(exitCodes.interrupted);
    };
  });
  let timer: NodeJS.Timeout | undefined;
  function onInterrupt(): void {
    timer = setTimeout(() => leave(), stopMs);
    stop();
  }
  interrupt.addEventListener('abort', onInterrupt, { once: true });
  function onTrouble(trouble: Error | undefined): void {
    status.note(trouble ? `${trouble.message} Your message is stored. Waiting for the server.` : 'The server is back.');
    away = trouble !== undefined;
    if (interrupt.aborted) stop();
  }
  try {
    return await Promise.race([left, ask()]);
  } finally {
    clearTimeout(timer);
    interrupt.removeEventListener('abort', onInterrupt);
    status.end();
  }

  async function ask(): Promise<ExitCode> {
    const { folder, note } = context;
    const { text, images } = await sendMentioned(chat, { text: question, typed, folder, note });
    for await (const event of chat.send(text, { images, id, onTrouble, signal: leaving.signal })) {
      status.event(event);
      if (event.type === 'message.received') {
        kept = true;
        if (interrupt.aborted) stop();
      }
      const remark = describe(event, status.isLive);
      // An outage is told once, although each failure may have words of its own.
      if (remark !== undefined && !(event.type === 'answer-delayed' && isDelayed)) status.note(remark);
      isDelayed = event.type === 'answer-delayed' || (isDelayed && event.type === 'answer-restarted');
      if (event.type === 'answer') {
        status.end();
        if (event.text) context.print(await renderAnswer(context, event.text));
        if (event.limit !== undefined) context.note(printableLine(event.limit));
        return event.text ? exitCodes.done : exitCodes.failed;
      }
      if (event.type === 'failure') return event.stopped ? exitCodes.interrupted : exitCodes.failed;
    }
    return interrupt.aborted ? exitCodes.interrupted : exitCodes.failed;
  }
}

function whatContinues({ name }: ChatHandle): string {
  return `Your message is stored, and is answered or stopped once a worker runs. \`longhaul chats show "${name}"\` shows what became of it.`;
}

/** What stderr says of an event; a live line shows by itself what passes. */
function describe(event: ChatStreamEvent, isLive: boolean): string | undefined {
  switch (event.type) {
    case 'answer.started':
      return event.changedAgent && `Agent changed: ${event.changedAgent}`;
    case 'answer-restarted':
      return event.why && printableLine(`Asked again: ${event.why}`);
    case 'answer-delayed':
      return isLive ? undefined : `${printableLine(event.why)} Asking again.`;
    case 'worker-silent':
      return isLive ? undefined : silence;
    case 'tool-ended':
      return printableLine(`${event.failed ? '✗' : '✓'} ${event.tool} ${event.preview}`);
    case 'failure':
      return event.stopped ? 'Stopped.' : printableLine(`No answer: ${event.reason}`);
    default:
      return undefined;
  }
}

/** Markdown as it is written, except on a terminal. */
async function renderAnswer({ stdout, environment }: CommandContext, text: string): Promise<string> {
  if (!stdout.isTTY) return printable(text);
  const markdown = await loadMarkdown(colorsFor(stdout, environment));
  return markdown.render(text, terminalSize(stdout).columns).join('\n');
}
