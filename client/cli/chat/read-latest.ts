import type { ChatExchange } from '../../../db/chats/read-history.ts';
import type { ChatHandle } from '../../chat/chat-handle.ts';

/** The latest exchanges that have ended, at least that many where there are, and all that have not; no more of a long conversation is read. */
export async function readLatest(
  chat: ChatHandle,
  count: number,
): Promise<{ before: ChatExchange[]; waiting: ChatExchange[] }> {
  for (let last = count; ; last *= 4) {
    const history = await chat.history({ last });
    const before = history.filter(({ status }) => status !== 'WAITING' && status !== 'RUNNING');
    const waiting = history.filter((one) => !before.includes(one));
    if (before.length >= count || history.length < last) return { before, waiting };
  }
}
