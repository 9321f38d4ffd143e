import type { ConversationControl } from '../chats/conversation-control.ts';
import type { CommandContext } from '../program/command-context.ts';
import { cut } from '../render/markdown/block-style.ts';
import type { Markdown } from '../render/markdown/load-markdown.ts';
import { printable } from '../render/printable.ts';
import { type Colors, terminalSize } from '../render/style.ts';
import { type MessageInput, type MessageListener, readMessages } from './input/read-messages.ts';
import { openPager } from './open-pager.ts';
import type { ChatScreen } from './screen/chat-screen.ts';
import { createLiveScreen } from './screen/live-screen.ts';
import { createPlainScreen } from './screen/plain-screen.ts';

/** Where a conversation is typed and shown. */
export interface OpenScreen extends Pick<ConversationControl, 'page' | 'thoughts' | 'width'> {
  input: MessageInput;
  screen: ChatScreen;
}

export interface ScreenOptions {
  colors: Colors;
  /** Undefined where the cursor cannot be moved. */
  markdown: Markdown | undefined;
  /** Earlier messages, for the arrows. */
  said: string[];
  isOwn(message: string): boolean;
}

/** Whether a terminal's cursor can be moved. */
export function movesCursor({ stdout, environment }: Pick<CommandContext, 'stdout' | 'environment'>): boolean {
  return stdout.isTTY === true && environment.TERM !== 'dumb';
}

export function openScreen(
  context: CommandContext,
  listener: MessageListener,
  { colors, markdown, said, isOwn }: ScreenOptions,
): OpenScreen {
  const { stdout, environment, withCommandName: formatLine } = context;
  const input = readMessages(context, listener, { said, moves: markdown !== undefined });
  const size = () => terminalSize(stdout);
  const width = () => size().columns;
  const live = markdown && createLiveScreen(input, { colors, markdown, size, isOwn, formatLine });
  const screen = live ?? createPlainScreen(input, colors, isOwn, formatLine);
  return {
    input,
    screen,
    width,
    thoughts: () => live?.thoughts() ?? '',
    async page(text, { markdown: isMarkdown } = { markdown: false }) {
      const raw = printable(text);
      const lines = isMarkdown && markdown ? markdown.render(text, width()) : raw.split('\n');
      const rows = lines.flatMap((line) => cut(line, width())).length;
      if (!markdown || rows < size().rows) return screen.line(lines.join('\n'));
      let isShown = false;
      await input.lend(async () => {
        isShown = await openPager(`${lines.join('\n')}\n`, environment);
      });
      if (!isShown) screen.line(lines.join('\n'));
    },
  };
}
