import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchStack } from '../stack/bench-stack.ts';

const timeoutMs = 120_000;

/** Waits until a chat has that many messages and the last one is answered. */
export async function untilAnswered({ longhaul, signal }: BenchStack, name: string, messages: number): Promise<void> {
  const end = Date.now() + timeoutMs;
  const chat = await longhaul.chat(name);
  for (;;) {
    const [last] = await chat.history({ last: 1 });
    if (last?.number === messages && last.status === 'ANSWERED') return;
    if (Date.now() > end)
      throw new Error(`Expected an answer to message ${messages} of ${name}, got ${last?.number} ${last?.status}.`);
    await sleep(20, undefined, { signal });
  }
}
