import type { ChatExchange } from '../../db/chats/read-history.ts';
import { shorten } from '../../domain/storable-text.ts';
import type { ConversationControl } from '../chats/conversation-control.ts';
import { printableLine } from '../render/printable.ts';

/** Maximum characters shown of a message in a list. */
const shown = 100;

/** `/retry`: asks the last question again, in a new branch. */
export async function retry({ chat, say, print }: ConversationControl): Promise<void> {
  const [last] = await chat().history({ last: 1 });
  if (!last) return print('No question was asked yet.');
  if (isOpen(last)) return print('The answer is still running. Ctrl-C stops it.');
  await say(last.said, { instead: last.id });
}

/** `/edit`: replaces an earlier message, in a new branch; without arguments it lists the messages. */
export async function edit({ chat, say, print }: ConversationControl, rest: string): Promise<void> {
  const history = await chat().history();
  const [, number, text = ''] = /^(?:#(\d+)(?:\s+|$))?([\s\S]*)$/.exec(rest) ?? [];
  const last = history.at(-1);
  if (!last) return print('There are no messages yet.');
  if (!rest) return print(history.map(describe).join('\n'));
  if (!text) return print('Expected the new text after the number: /edit #2 And in June?');
  if (isOpen(last)) return print('An answer is still running. Wait for it, or stop it with Ctrl-C.');
  const chosen = number === undefined ? last : history[Number(number) - 1];
  if (!chosen) return print(`There is no message ${number}. /edit without arguments lists all ${history.length}.`);
  await say(text, { instead: chosen.id });
}

function isOpen({ status }: ChatExchange): boolean {
  return status === 'WAITING' || status === 'RUNNING';
}

function describe({ said }: ChatExchange, index: number): string {
  return `#${index + 1} ${shorten(printableLine(said), shown)}`;
}
