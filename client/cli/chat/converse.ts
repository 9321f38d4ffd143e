import { offeredTools } from '../../../agents/definition-of.ts';
import { toolDeclarations } from '../../../agents/tools/tool-declarations.ts';
import type { ChatHandle } from '../../chat/chat-handle.ts';
import type { Longhaul } from '../../longhaul.ts';
import type { CommandContext } from '../command-context.ts';
import { describeError } from '../describe-error.ts';
import { type ExitCode, exitCodes } from '../exit-code.ts';
import { colorsFor } from '../text/colors.ts';
import { runChatCommand } from './chat-commands.ts';
import { createChatScreen } from './chat-screen.ts';
import { readMessages } from './read-messages.ts';

/** Exchanges of before that are shown at the beginning. */
const shownBefore = 3;

/** A conversation in a terminal, until the person leaves it; what is being answered then is answered to its end. */
export async function converse(context: CommandContext, longhaul: Longhaul, first: ChatHandle): Promise<ExitCode> {
  const own = new Set<string>();
  const screen = createChatScreen(context.stdout, colorsFor(context.stdout, context.environment), (id) => own.has(id));
  let chat = first;
  /** Messages whose answers are to come, as this screen knows of them. */
  const open = new Set<string>();
  let watching = { stop: async () => {} };
  /** What was typed is done one after the other. */
  let doing: Promise<void> = Promise.resolve();
  let leave = () => {};
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });

  function watch(watched: ChatHandle): { stop(): Promise<void> } {
    const leaving = new AbortController();
    const onTrouble = (trouble: Error | undefined) =>
      screen.line(trouble ? `${trouble.message} Waiting for it.` : 'It is back.');
    const ended = (async () => {
      for await (const event of watched.watch({ from: 'open', signal: leaving.signal, onTrouble })) {
        if (event.type === 'message-kept' || event.type === 'answer-began') open.add(event.message);
        screen.event(event);
        if (event.type !== 'answer' && event.type !== 'failure') continue;
        open.delete(event.message);
        if (open.size === 0) input.terminal.prompt();
      }
    })().catch((error: unknown) => {
      screen.line(describeError(error));
      leave();
    });
    return {
      async stop() {
        leaving.abort();
        await ended;
      },
    };
  }

  async function show(shown: ChatHandle): Promise<void> {
    const history = await shown.history();
    const before = history.filter(({ status }) => status !== 'WAITING' && status !== 'RUNNING');
    if (before.length > shownBefore) screen.line(`[${before.length - shownBefore} earlier messages]`);
    for (const exchange of before.slice(-shownBefore)) screen.exchange(exchange);
    for (const { id, said } of history.filter((one) => !before.includes(one))) {
      if (!own.has(id)) screen.line(`> ${said}`);
      own.add(id);
      open.add(id);
    }
    if (open.size) await shown.wake();
  }

  const control = {
    longhaul,
    chat: () => chat,
    async tools() {
      const { agents } = await context.configuration();
      const run = { role: 'chat' as const, ...(!chat.memory && { memory: false as const }) };
      const shipped = offeredTools(run, agents).map((name) => ({ name, ...toolDeclarations[name] }));
      const made = (await longhaul.tools.list()).filter(({ enabled }) => enabled);
      return [...shipped, ...made];
    },
    async say(text: string, { now = false, instead }: { now?: boolean; instead?: string } = {}) {
      const id = crypto.randomUUID();
      own.add(id);
      open.add(id);
      try {
        await chat.say(text, { id, now, instead });
      } catch (error) {
        open.delete(id);
        throw error;
      }
    },
    async change(next: ChatHandle) {
      await watching.stop();
      open.clear();
      chat = next;
      screen.line(`[${next.name ?? 'a new conversation'}]`);
      await show(next);
      watching = watch(next);
    },
    print: (text: string) => screen.line(text),
    leave: () => leave(),
  };

  async function take(text: string): Promise<void> {
    try {
      if (text.startsWith('/')) await runChatCommand(control, text);
      else if (text.trim()) await control.say(text.trim());
    } catch (error) {
      screen.line(describeError(error));
    }
    if (open.size === 0) input.terminal.prompt();
  }

  const input = readMessages(context, {
    onMessage: (text) => {
      doing = doing.then(() => take(text));
    },
    onInterrupt: () => {
      if (open.size === 0) return leave();
      screen.line('[stopping; Ctrl-C again leaves]');
      open.clear();
      void chat.stop().catch((error: unknown) => screen.line(describeError(error)));
    },
    onEnd: () => leave(),
  });
  const quiet = chat.memory ? '' : ', without memory';
  screen.line(`[${chat.name ?? 'a new conversation'}${quiet}; /help shows the commands]`);
  await show(chat);
  watching = watch(chat);
  if (open.size === 0) input.terminal.prompt();
  await left;
  input.close();
  await doing;
  await watching.stop();
  return exitCodes.done;
}
