import type { ChatHandle } from '../../client/chat/chat-handle.ts';
import type { OwnCommands } from '../../client/chat/own-commands.ts';
import type { Longhaul } from '../../client/longhaul.ts';

export interface SayRequest {
  now?: boolean;
  /** The id of the message that it replaces. */
  instead?: string;
  /** The message is no longer on the screen: it is shown when its answer begins. */
  hidden?: boolean;
}

/** What the commands of a conversation work with. */
export interface ConversationControl {
  longhaul: Longhaul;
  chat(): ChatHandle;
  say(text: string, options?: SayRequest): Promise<void>;
  /** Continues in another conversation. */
  change(chat: ChatHandle): Promise<void>;
  print(text: string): void;
  /** A person's own commands, as their files are now. */
  ownCommands(): OwnCommands;
  /** Shows a text, one longer than the screen in a pager. */
  page(text: string, options?: { markdown: boolean }): Promise<void>;
  /** The model's latest thoughts; empty if it has told none. */
  thoughts(): string;
  /** Shows whether the answer is held up. */
  setPaused(paused: boolean): void;
  /** Asks a yes-or-no question; what is typed next is the answer. */
  ask(question: string): Promise<boolean>;
  /** Of the terminal, in columns. */
  width(): number;
  leave(): void;
}
