import type { Longhaul } from '../../client/longhaul.ts';
import { type Completions, complete } from './input/complete.ts';
import { showable } from './show-result.ts';

/** Completes commands of a conversation, the names that they take, and paths. */
export function createCompleter(
  longhaul: Longhaul,
  folder: string,
  commands: () => string[],
): (line: string) => Promise<Completions> {
  const names: Record<string, () => Promise<string[]>> = {
    sessions: async () => (await longhaul.chats()).map(({ name }) => name),
    answer: async () => (await longhaul.inbox.list()).map(({ id }) => `${id} `),
    show: async () => showable,
  };
  return (line) => complete(line, { commands: commands(), namesFor: (command) => names[command]?.(), folder });
}
