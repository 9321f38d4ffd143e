import type { ChatHandle } from '../../client/chat/chat-handle.ts';
import type { ChatExchange } from '../../db/chats/read-history.ts';

/** Exchanges of a chat, in order. */
export interface Latest {
  /** Those that have ended. */
  before: ChatExchange[];
  /** Those that have not. */
  waiting: ChatExchange[];
}

/** At least `count` of the latest ended exchanges, if there are that many, and all unfinished ones, without reading more of a long chat. */
export async function readLatest(chat: ChatHandle, count: number): Promise<Latest> {
  for (let last = count; ; last *= 4) {
    const history = await chat.history({ last });
    const before = history.filter(({ status }) => status !== 'WAITING' && status !== 'RUNNING');
    const waiting = history.filter((one) => !before.includes(one));
    if (before.length >= count || history.length < last) return { before, waiting };
  }
}
