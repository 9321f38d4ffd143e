import type { ChatStreamEvent } from '../../../client/chat/chat-handle.ts';
import type { ChatExchange } from '../../../db/chats/read-history.ts';

/** Prints a chat as it happens. */
export interface ChatScreen {
  event(event: ChatStreamEvent): void;
  /** Prints an earlier exchange. */
  exchange(exchange: ChatExchange): void;
  line(text: string): void;
  /** Prints a person's message. */
  said(text: string): void;
  /** The conversation is held up, so that no worker has to report. */
  setPaused(paused: boolean): void;
  /** Nothing more is shown of the running answer. */
  end(): void;
}
